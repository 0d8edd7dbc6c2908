-- The first of the three steps of distributing a table while it is written: it becomes a table of the coordinator that Citus
-- knows, at once, with its rights, rules and events. The second is `create_distributed_table_concurrently`, which runs in no
-- function, the third note_shards. Does nothing where Citus knows it. Raises what set_shards raises.
create or replace function portolan.begin_shards(relation regclass, change jsonb) returns jsonb
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_tables jsonb;
  v_other regclass;
begin
  perform portolan.one_at_a_time();
  v_before := portolan.check_shards(relation, change);
  if v_before ->> 'kind' <> 'local' or portolan.shard_kind(relation) = 'local' then
    return v_before;
  end if;
  if current_setting('output_plugin_libraries', true) !~ '\ycitus\y' then
    raise exception 'PostgreSQL does not let Citus read its log: add citus to its setting output_plugin_libraries on each node'
      using errcode = 'PX400';
  elsif not exists (select from pg_index i where i.indrelid = relation and i.indisprimary) then
    raise exception '% has no primary key, without which its rows cannot be changed while they are copied', relation
      using errcode = 'PX400';
  end if;
  select o.other into v_other
  from (
    select f.conrelid::regclass as other from pg_constraint f where f.contype = 'f' and f.confrelid = relation
    union
    select f.confrelid from pg_constraint f
    where f.contype = 'f' and f.conrelid = relation and portolan.shard_kind(f.confrelid) is null) o
  order by o.other::text
  limit 1;
  if found then
    raise exception '% has a foreign key with %: make that a reference table first, or distribute it while writers wait',
      relation, v_other using errcode = 'PX409';
  end if;
  v_tables := portolan.before_shards(relation, change);
  perform citus_add_local_table_to_metadata(relation);
  perform portolan.after_shards(v_tables);
  return v_before;
end
$$;
