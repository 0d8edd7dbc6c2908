-- Tells the nodes of Citus the passwords by which they connect to each other as accounts, where they do not have them
-- yet. It runs after the transaction that made an account, because a node accepts no password of a role that it does
-- not see. Called by the gateway when accounts have changed, and by a migration. Does nothing without Citus, and where
-- the owner of Portolan is not a super user: nodes must then accept each other by certificates or trust, and doctor
-- checks them.
create or replace function portolan.tell_nodes() returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the secret
as $$
declare
  v_known text;
  v_rows text;
begin
  if not portolan.has_citus() or not (select r.rolsuper from pg_roles r where r.rolname = current_user) then
    return;
  end if;
  for v_known in
    select distinct c.result
    from run_command_on_workers(
      $query$select coalesce(array_agg(rolename order by rolename), '{}') from pg_catalog.pg_dist_authinfo where nodeid = 0$query$) c
    where c.success
  loop
    select string_agg(format('(0, %L, %L)', a.rolename, a.authinfo), ', ') into v_rows
    from pg_dist_authinfo a
    where a.nodeid = 0 and a.rolename in (select u.role from portolan.users u) and a.rolename <> all (v_known::name[]);
    if v_rows is not null then
      perform run_command_on_workers(format(
        'insert into pg_catalog.pg_dist_authinfo (nodeid, rolename, authinfo) values %s on conflict do nothing', v_rows));
    end if;
  end loop;
end
$$;
