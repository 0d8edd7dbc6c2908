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
  c_kept constant bigint := 100000000; -- more than a gateway that starts again leaves behind
  v_reads boolean := exists (
    select from portolan.event_reader r
    where exists (
      select from pg_stat_get_activity(r.pid) a
      where r.pid is not null and a.pid = r.pid and (a.backend_start is null or a.backend_start = r.started)));
  v_table record;
  v_node record;
  v_problem text;
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
  return query
    select format('rule %s does not hold on the shards of %s: %s', r.id, string_agg(t.relation::text, ', ' order by t.relation::text), s.shed),
      format('npx portolan rule drop %s, and one for the group', r.id), true
    from portolan.rules r
      join (select distinct m.id, m.relation from portolan.rule_map m) t on t.id = r.id
      cross join lateral (select portolan.shed_rule(r, t.relation)) s (shed)
    where portolan.shard_kind(t.relation) is not null and s.shed is not null
    group by r.id, s.shed;
  return query
    select format('%s is distributed by "%s", whose type is a domain with a constraint: Citus finds no rows by it, and a write by it '
        'can end the server', a.attrelid::regclass, a.attname),
      format(E'select undistribute_table(%L);\nthen give the column the type below the domain', a.attrelid::regclass), true
    from pg_dist_partition p
      join pg_attribute a on a.attrelid = p.logicalrelid
    where p.partmethod = 'h' and a.attname = column_to_column_name(p.logicalrelid, p.partkey) and portolan.lost_by_shards(a.atttypid);
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
  for v_node in
    select n.groupid, format('%s:%s', n.nodename, n.nodeport) as name, c.success, p.node is not null as is_read,
      case when c.success then c.result::jsonb end as slot
    from run_command_on_all_nodes(format(
        $query$select jsonb_build_object(
            'tells', current_setting('wal_level') = 'logical' and current_setting('citus.enable_change_data_capture', true) = 'on',
            'status', s.wal_status, 'kept', pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn))
          from (select) one left join pg_replication_slots s on s.slot_name = %L$query$, portolan.shard_slot())) c
      join pg_dist_node n using (nodeid)
      left join portolan.shard_positions p on p.node = n.groupid
    order by 2
  loop
    v_problem := case
      when not v_node.success then 'it does not answer'
      when not (v_node.slot ->> 'tells')::boolean then 'it does not tell of changes'
      when v_node.slot ->> 'status' is null then 'it has no replication slot'
      when v_node.slot ->> 'status' = 'lost' then 'its replication slot has fallen behind max_slot_wal_keep_size'
    end;
    if v_node.is_read and v_problem is not null then
      finding := format('events of the node %s are missing: %s', v_node.name, v_problem);
      remedy := 'set wal_level = logical and citus.enable_change_data_capture = on there; a gateway that runs makes the slot';
      is_error := true;
      return next;
    elsif not v_node.is_read and v_node.slot ->> 'status' is not null then
      finding := format('the node %s keeps its log for the replication slot %s, which nobody needs any more',
        v_node.name, portolan.shard_slot());
      remedy := format('select portolan.leave_shard(%s);', v_node.groupid);
      is_error := false;
      return next;
    elsif not v_reads and (v_node.slot ->> 'kept')::bigint > c_kept then
      finding := format('nobody reads the events of the node %s, and its replication slot %s keeps %s of its log',
        v_node.name, portolan.shard_slot(), pg_size_pretty((v_node.slot ->> 'kept')::bigint));
      remedy := format(E'start a gateway that serves the database\nor, which is a gap for subscribers: select portolan.leave_shard(%s);',
        v_node.groupid);
      is_error := false;
      return next;
    end if;
  end loop;
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
