-- Makes PostgreSQL match the tables: the roles owner@ and anonymous@, one role for each account, memberships, the rights
-- that Portolan needs (rights_to_mend) and the leakproof mark. In a restored or copied database, and with `regrant`, it
-- restores the recorded privileges too; in a restored one also the recorded grants and policies of the team. Every migration
-- calls it, since a database dump has neither roles nor memberships. Changes nothing when nothing is missing.
create or replace function portolan.repair_roles(regrant boolean default false) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner text := portolan.role_name('owner');
  v_anonymous text := portolan.role_name('anonymous');
  v_pool text := portolan.pool_role();
  v_user portolan.users;
  v_restored boolean := portolan.is_restored();
  v_table record;
begin
  if to_regrole(quote_ident(v_owner)) is null then
    execute format('create role %I nologin', v_owner);
  end if;
  if to_regrole(quote_ident(v_pool)) is null then
    execute format('create role %I nologin noinherit', v_pool);
  end if;
  perform portolan.drop_runners();
  update portolan.logins l set kind = 'former' where l.kind = 'pool' and l.role <> v_pool;
  if v_restored then
    -- a role of the same name that somebody makes later must not pass for the gateway's
    delete from portolan.logins l where to_regrole(quote_ident(l.role)) is null and l.kind <> 'former';
    update portolan.users u set own_login_version = null where u.own_login_version is not null;
  end if;
  insert into portolan.logins (role, kind) values (v_pool, 'pool')
  on conflict (role) do update set kind = excluded.kind;
  -- a copy of a database has accounts of its own, not those of the original
  update portolan.users u set role = portolan.role_name(u.name), own_login_version = null
  where u.role_made and u.role <> portolan.role_name(u.name);
  insert into portolan.users (name, role) values ('anonymous', v_anonymous) on conflict do nothing;

  for v_user in select u.* from portolan.users u order by u.name = 'anonymous' desc, u.name loop
    if to_regrole(quote_ident(v_user.role)) is null then
      if not v_user.role_made then
        raise warning 'the role "%" of the account "%" does not exist', v_user.role, v_user.name;
        continue;
      end if;
      execute format('create role %I nologin', v_user.role);
      update portolan.users u set own_login_version = null where u.name = v_user.name;
    end if;
  end loop;
  -- memberships come after all roles: a group may come after its members
  perform portolan.join_roles(array(select u.name from portolan.users u));

  if v_restored then
    perform portolan.restore_rights();
  end if;
  perform portolan.mend_rights(regrant or v_restored, v_restored);
  -- trigger functions are generated for each table: another version of Portolan, or a restore, generates them again
  for v_table in
    select t.relation, 'install_events' as installs
    from portolan.event_tables t
    where t.active and exists (select from pg_class c where c.oid = t.relation)
      and exists (
        select from unnest(portolan.event_members(t.relation)) m where portolan.event_trigger_count(m) < 4)
    union all
    select w.relation, 'install_workflow'
    from portolan.workflow_tables w
    where exists (select from pg_class c where c.oid = w.relation)
      and (regrant or v_restored or not exists (
        select from pg_proc p
        where p.oid = to_regprocedure(format('portolan.tg_%s__audit_workflow()', w.relation::oid))
          and p.prosrc = portolan.workflow_trigger_body(w.relation)))
  loop
    begin
      execute format('select portolan.%I($1)', v_table.installs) using v_table.relation;
    exception
      when others then -- the failure of one table stops neither the triggers of others nor the upgrade of the database
        raise warning 'Portolan cannot make the triggers of %: %', v_table.relation, sqlerrm;
    end;
  end loop;
  perform portolan.install_ddl_trigger();
  perform portolan.follow_ddl();
  perform portolan.mark_leakproof();
  perform portolan.note_rights();
end
$$;
