-- Sets the privilege of an account on a table or view: none, read, write or all, as GRANTs. Raises PX400, PX404, PX409
-- where the rules for it do not hold or it has no room for another grant, and 42501 where the owner of Portolan may not
-- grant on the relation.
create or replace function portolan.set_privilege(relation regclass, user_name text, privilege text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to grant is the owner's
as $$
declare
  v_user portolan.users;
begin
  perform portolan.one_at_a_time();
  v_user := portolan.existing_account(user_name);
  perform portolan.check_relation(relation);
  if privilege is null or privilege not in ('none', 'read', 'write', 'all') then
    raise exception 'a privilege must be none, read, write or all' using errcode = 'PX400';
  end if;
  if privilege <> 'none' then
    perform portolan.close_relation(relation);
  end if;
  begin
    perform portolan.apply_privilege(relation, v_user.role, privilege);
  exception
    when lock_not_available then
      perform portolan.refuse_locked(relation, 'share update exclusive', format('%s is in use', relation));
  end;
  perform portolan.refresh_mirror(relation);
  -- a GRANT by a role that has the right, but not the grant option, is only a warning in PostgreSQL
  if not has_table_privilege(v_user.role, relation, 'select') and privilege <> 'none'
    or not has_table_privilege(v_user.role, relation, 'insert') and privilege in ('write', 'all')
  then
    raise exception 'the owner of Portolan may not grant on %', relation using errcode = 'insufficient_privilege';
  end if;
  if privilege = 'none' then
    delete from portolan.privileges p
    where p.relation = set_privilege.relation and p.user_name = v_user.name;
  else
    insert into portolan.privileges as p (relation, user_name, privilege)
    values (relation, v_user.name, privilege)
    on conflict on constraint privileges_pkey do update set privilege = excluded.privilege;
  end if;
end
$$;
