-- Refuses a table of Citus whose changes its nodes cannot report: events of such a table come from the change data
-- capture of Citus. Raises PX400, and PX503 where a node is down.
create or replace function portolan.check_followed(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_column text := (
    select a.attname from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated <> '' limit 1);
  v_node text;
  v_answers boolean;
begin
  if v_column is not null then
    raise exception '% is kept by Citus, which does not report changes of its generated column "%"', relation, v_column
      using errcode = 'PX400';
  elsif not (select r.rolsuper from pg_roles r where r.rolname = current_user) then
    raise exception '% is kept by Citus: its events need an owner of schema portolan who is a super user', relation
      using errcode = 'PX400';
  elsif not exists (select from pg_dist_node n where n.groupid = 0) then
    raise exception '% is kept by Citus: its events need a coordinator that is in the metadata', relation
      using errcode = 'PX400', hint = 'select citus_set_coordinator_host(…, port);';
  end if;
  select format('%s:%s', n.nodename, n.nodeport), c.success into v_node, v_answers
  from run_command_on_all_nodes(
      $query$select current_setting('wal_level') || ' ' || current_setting('citus.enable_change_data_capture', true)$query$) c
    join pg_dist_node n using (nodeid)
  where not c.success or c.result is distinct from 'logical on'
  order by c.success, 1
  limit 1;
  if not v_answers then
    raise exception '% is kept by Citus, and the node % does not answer: try again when it does', relation, v_node
      using errcode = 'PX503';
  elsif v_node is not null then
    raise exception '% is kept by Citus, and the node % does not report changes: set wal_level = logical and '
      'citus.enable_change_data_capture = on on each node, and restart it', relation, v_node
      using errcode = 'PX400';
  end if;
end
$$;
