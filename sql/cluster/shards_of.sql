-- How Citus keeps a table: `kind` (distributed, reference, schema or local), for a distributed one its `column`, the number of
-- `shards`, and the tables that are distributed alike (`colocated`). Raises PX400, PX404.
create or replace function portolan.shards_of(relation regclass) returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may ask for the kind
as $$
declare
  v_kind text := coalesce(portolan.shard_kind(relation), 'local');
begin
  perform portolan.check_relation(relation);
  if v_kind = 'local' then
    return jsonb_build_object('kind', v_kind);
  end if;
  return (
    select jsonb_build_object(
        'kind', v_kind,
        'shards', (select count(*) from pg_dist_shard s where s.logicalrelid = relation),
        'colocated', coalesce((
          select jsonb_agg(o.logicalrelid::text order by o.logicalrelid::text)
          from pg_dist_partition o
          where o.colocationid = p.colocationid and o.logicalrelid <> relation), '[]'))
      || case when v_kind = 'distributed' then jsonb_build_object('column', column_to_column_name(relation, p.partkey)) else '{}' end
    from pg_dist_partition p
    where p.logicalrelid = relation);
end
$$;
