-- Makes an account of a PostgreSQL role that exists, so that a team keeps its roles, grants and policies. Only the operator
-- calls it (psql as the owner, `portolan user add --role`): otherwise an account could reach a role that is not its own. The
-- role itself is never altered. Raises PX400, PX404, PX409.
create or replace function portolan.adopt_role(
  name text,
  role text,
  password text default null,
  email text default null,
  properties jsonb default '{}'
) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := portolan.account_name(name);
  v_role pg_roles;
  v_user portolan.users;
begin
  if v_name in ('owner', 'anonymous') then
    raise exception 'the account name "%" is reserved', v_name using errcode = 'PX400';
  end if;
  select r.* into v_role from pg_roles r where r.rolname = adopt_role.role;
  if not found then
    raise exception 'there is no role "%"', role using errcode = 'PX404';
  end if;
  if v_role.rolname like 'pg\_%' or exists (
    select from pg_roles r
    where pg_has_role(v_role.oid, r.oid, 'member')
      and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
        or r.rolname in (current_user, portolan.role_name('owner'))
        or r.rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        or exists (select from portolan.logins l where l.role = r.rolname)))
  then
    raise exception 'the role "%" has too much power to be an account', role using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = v_name) then
    raise exception 'the account "%" exists', v_name using errcode = 'PX409';
  end if;
  insert into portolan.users (name, role, role_made, password, email, properties)
  values (v_name, role, false, portolan.hash_password(password), email, coalesce(properties, '{}'))
  returning * into v_user;
  perform portolan.join_roles(array[v_user.name]);
  perform portolan.follow_groups_on_shards();
  return role;
end
$$;
