-- The problems of the Citus cluster of the database: each finding with its repair, and whether rows are shown or lost
-- meanwhile. No row without Citus. It asks each node, under the rights of the owner of Portolan.
create or replace function portolan.cluster_findings() returns table (finding text, remedy text, is_error boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read what is noted there
as $$
declare
  c_policies constant text := 'select concat_ws('', '', case when c.relrowsecurity then ''row level security'' end,
    (select string_agg(concat_ws('' '', p.polname, case when p.polpermissive then ''permissive'' else ''restrictive'' end,
      p.polcmd::text), '', '' order by p.polname) from pg_policy p where p.polrelid = c.oid))
    from pg_class c where c.oid = %1$L::regclass';
  v_table record;
  v_here text;
  v_there text;
begin
  if not portolan.has_citus() then
    return;
  end if;
  return query
    select format('the node %s:%s is not active', n.nodename, n.nodeport),
      format('select citus_activate_node(%L, %s);', n.nodename, n.nodeport), true
    from pg_dist_node n where not n.isactive;
  return query
    select 'the coordinator is not in the metadata of Citus, so that reference tables cannot be joined with tables of its own',
      'as a superuser: select citus_set_coordinator_host(…, port);', false
    where not exists (select from pg_dist_node n where n.groupid = 0) and exists (select from pg_dist_node);
  return query
    select format('accounts cannot log in on the nodes: %s', string_agg(u.name, ', ' order by u.name)),
      'npx portolan migrate --repair-roles', true
    from portolan.users u
    where u.role_made and u.own_login_version is null
    having count(*) > 0;
  return query
    select format('the node %s:%s knows no passwords by which other nodes let accounts in: %s', n.nodename, n.nodeport,
        string_agg(u.name, ', ' order by u.name)), 'npx portolan migrate --repair-roles', false
    from run_command_on_workers(
        $query$select coalesce(array_agg(rolename), '{}') from pg_catalog.pg_dist_authinfo where nodeid = 0$query$) c
      join pg_dist_node n on (n.nodename, n.nodeport) = (c.nodename, c.nodeport)
      cross join portolan.users u
    where c.success and u.role_made and u.own_login_version is not null
      and case when c.success then u.role <> all (c.result::name[]) end
      and (select r.rolsuper from pg_roles r where r.rolname = current_user)
    group by n.nodename, n.nodeport;
  if current_setting('citus.enable_unsafe_triggers', true) = 'on' then
    finding := 'citus.enable_unsafe_triggers is on: a table with events, history or workflow can be distributed, and takes no writes then';
    remedy := format('alter database %I set citus.enable_unsafe_triggers = off;', current_database());
    is_error := false;
    return next;
  end if;
  return query
    select format('%s has triggers of Portolan and shards, where they cannot run: every write fails', t.relation),
      format(E'select undistribute_table(%L);\nor switch off its events, history and workflow', t.relation), true
    from (
      select distinct t.tgrelid::regclass as relation
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where p.pronamespace = 'portolan'::regnamespace and not t.tgisinternal
    ) t
    where portolan.shard_kind(t.relation) is not null;
  if exists (select from portolan.shard_positions) then
    return query
      select format('events of the node %s:%s are missing: %s', n.nodename, n.nodeport,
          case when c.success then c.result else 'it does not answer' end),
        'set wal_level = logical and citus.enable_change_data_capture = on there; a gateway that runs makes the slot', true
      from run_command_on_all_nodes(format(
          $query$select case
              when current_setting('wal_level') <> 'logical' or current_setting('citus.enable_change_data_capture', true) is distinct from 'on'
              then 'it does not tell of changes'
              else coalesce((
                select case s.wal_status when 'lost' then 'its replication slot has fallen behind max_slot_wal_keep_size' else '' end
                from pg_replication_slots s where s.slot_name = %L), 'it has no replication slot')
            end$query$, portolan.shard_slot())) c
        join pg_dist_node n using (nodeid)
      where not c.success or c.result <> '';
  end if;
  for v_table in
    select p.logicalrelid as relation
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relrowsecurity or exists (select from pg_policy y where y.polrelid = c.oid)
  loop
    execute format(c_policies, v_table.relation) into v_here;
    select min(format('%s:%s: %s', r.nodename, r.nodeport, coalesce(nullif(r.result, ''), 'none'))) into v_there
    from run_command_on_placements(v_table.relation, c_policies) r
    where not r.success or r.result <> v_here;
    if v_there is not null then
      finding := format('the policies of %s are others on its shards, so that accounts may see rows there (%s; at the coordinator: %s)',
        v_table.relation, v_there, v_here);
      remedy := 'drop its policies and make them again; Citus makes restrictive policies permissive, so write such as rules';
      is_error := true;
      return next;
    end if;
  end loop;
end
$$;
