-- Makes true what the tables say: the roles owner@ and anonymous@, one role for each account, memberships, recorded
-- grants and the leakproof mark. Called by every migration, and by `portolan migrate --repair-roles` after a restore,
-- since roles and their grants are not part of a database dump. Harmless when nothing is missing.
create or replace function portolan.repair_roles(regrant boolean default false) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner text := portolan.role_name('owner');
  v_anonymous text := portolan.role_name('anonymous');
  v_runner text := portolan.runner_role();
  v_user portolan.users;
  v_function regprocedure;
begin
  if to_regrole(quote_ident(v_owner)) is null then
    execute format('create role %I nologin', v_owner);
  end if;
  if to_regrole(quote_ident(v_runner)) is null then
    execute format('create role %I nologin noinherit', v_runner);
  end if;
  delete from portolan.logins l where l.kind = 'runner' and l.role <> v_runner; -- a copy of a database
  insert into portolan.logins (role, kind) values (v_runner, 'runner') on conflict (role) do update set kind = 'runner';
  -- a copy of a database has accounts of its own, not those of its original
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
  -- memberships after all roles are there: a group may come after its members
  perform portolan.join_roles(u) from portolan.users u where to_regrole(quote_ident(u.role)) is not null;

  foreach v_function in array array[
    'portolan.create_user(text, text, text, text, jsonb, boolean)', 'portolan.drop_user(text)',
    'portolan.set_password(text, text)', 'portolan.set_privilege(regclass, text, text)',
    'portolan.set_authentication(regclass, text)', 'portolan.update_user(text, jsonb)',
    'portolan.relation_of(text, text)', 'portolan.privileges_of(regclass)',
    'portolan.authentication_of(regclass)', 'portolan.enable_events(regclass)', 'portolan.disable_events(regclass)',
    'portolan.events_of(regclass)',
    'portolan.create_client(text, text, text[], boolean, boolean, text[], text, text)',
    'portolan.update_client(text, jsonb)', 'portolan.drop_client(text)', 'portolan.set_client_secret(text)',
    'portolan.list_clients(text[])', 'portolan.invite_user(text, interval)', 'portolan.create_rule(jsonb)',
    'portolan.update_rule(integer, jsonb)', 'portolan.drop_rule(integer)', 'portolan.list_rules(integer[])',
    'portolan.explain_access(text, regclass)', 'portolan.set_style(regclass, jsonb)', 'portolan.style_of(regclass)',
    'portolan.create_raster(text, text, text)', 'portolan.update_raster(text, text, text)',
    'portolan.drop_raster(text, text)', 'portolan.list_rasters()', 'portolan.enable_versioning(regclass)',
    'portolan.disable_versioning(regclass, boolean)', 'portolan.is_versioned(regclass)',
    'portolan.enable_workflow(regclass)', 'portolan.disable_workflow(regclass)',
    'portolan.set_workflow_role(regclass, text, text)', 'portolan.workflow_of(regclass)',
    'portolan.set_workflow(regclass, jsonb)']::regprocedure[]
  loop
    execute format('grant execute on function %s to %I', v_function, v_owner);
  end loop;

  if regrant then
    perform portolan.apply_privilege(p.relation, u.role, p.privilege)
    from portolan.privileges p join portolan.users u on u.name = p.user_name
    where exists (select from pg_class c where c.oid = p.relation);
    perform portolan.apply_authentication(a.relation, a.level)
    from portolan.authentication a
    where exists (select from pg_class c where c.oid = a.relation);
  end if;
  -- trigger functions are made for each table: another version of Portolan, or a restore, makes them anew
  perform portolan.install_events(t.relation)
  from portolan.event_tables t
  where t.active and exists (select from pg_class c where c.oid = t.relation)
    and exists (
      select from unnest(portolan.event_members(t.relation)) m where portolan.event_trigger_count(m) < 4);
  perform portolan.install_workflow(w.relation)
  from portolan.workflow_tables w
  where exists (select from pg_class c where c.oid = w.relation)
    and (regrant or to_regprocedure(format('portolan.tg_%s__audit_workflow()', w.relation::oid)) is null);
  perform portolan.install_ddl_trigger();
  perform portolan.follow_ddl();
  perform portolan.mark_leakproof();
end
$$;

comment on function portolan.repair_roles(boolean) is
  'Makes the roles, memberships and grants that the tables of Portolan speak of.';

revoke execute on function portolan.repair_roles(boolean) from public;
