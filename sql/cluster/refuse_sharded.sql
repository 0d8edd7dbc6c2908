-- Refuses a table whose rows are on shards, where none of Portolan's triggers can run. Triggers with Citus' option
-- enable_unsafe_triggers run on a worker, which lacks the tables that they write, so that every later write would fail.
-- what: "history is kept" or "workflow is". Raises PX400.
create or replace function portolan.refuse_sharded(relation regclass, what text) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_member oid;
  v_kind text;
begin
  foreach v_member in array portolan.event_members(relation) loop
    v_kind := portolan.shard_kind(v_member);
    if v_kind is not null then
      raise exception '% is % of Citus, and % made by triggers, which cannot run on shards',
        relation,
        case v_kind
          when 'distributed' then 'a distributed table'
          when 'reference' then 'a reference table'
          when 'schema' then 'in a distributed schema'
          else 'a table with shards'
        end,
        case what when 'history is kept' then 'history is' else what end
        using errcode = 'PX400', hint = 'undistribute_table makes it a table of the coordinator again';
    end if;
  end loop;
end
$$;
