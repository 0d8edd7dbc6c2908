-- How a table is kept before `change`, which is looked at. Raises PX400, PX404, PX409.
create or replace function portolan.check_shards(relation regclass, change jsonb) returns jsonb
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind constant text := change ->> 'kind';
  v_column constant text := change ->> 'column';
  v_before constant jsonb := portolan.shards_of(relation);
begin
  if v_kind is null or v_kind not in ('distributed', 'reference') then
    raise exception 'kind must be distributed or reference' using errcode = 'PX400';
  elsif v_kind = 'distributed' and v_column is null then
    raise exception 'a distributed table needs a column to distribute it by' using errcode = 'PX400';
  elsif v_kind = 'reference' and (v_column is not null or change ->> 'colocate_with' is not null) then
    raise exception 'a reference table is not distributed by a column' using errcode = 'PX400';
  elsif not portolan.has_citus() then
    raise exception 'the database does not have the extension Citus' using errcode = 'PX400';
  elsif v_before ->> 'kind' = v_kind and v_before ->> 'column' is not distinct from v_column then
    return v_before;
  elsif v_before ->> 'kind' <> 'local' then
    raise exception '% is already of the kind %: first move it back to the coordinator by undistribute_table',
      relation, v_before ->> 'kind' using errcode = 'PX409';
  end if;
  if v_kind = 'distributed' then
    perform portolan.check_distribution(relation, v_column);
    if change ->> 'colocate_with' is not null
      and portolan.shard_kind(to_regclass(change ->> 'colocate_with')) is distinct from 'distributed'
    then
      raise exception '% is not a distributed table', change ->> 'colocate_with' using errcode = 'PX400';
    end if;
  end if;
  return v_before;
end
$$;
