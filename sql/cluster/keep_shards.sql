-- Writes changes that the nodes of Citus have logged to the outbox, in their order, and how far the nodes were read. upto: the
-- position by the node. Each change has the schema and name of its table, its columns (logged_columns), the operation (i, u, d,
-- t), the time of its transaction in seconds, and old and new records. A change of other columns or types than the table has now
-- cannot be read any more: it is a gap, as TRUNCATE is. False where the lease (own_term) is another's by now: nothing is written
-- then.
create or replace function portolan.keep_shards(own_term bigint, upto jsonb, changes jsonb) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write the outbox
as $$
begin
  perform from portolan.event_reader r where r.term = own_term for share;
  if not found then
    return false;
  end if;
  update portolan.shard_positions p
  set upto = u.value::pg_lsn
  from jsonb_each_text(keep_shards.upto) u
  where p.node = u.key::integer and p.upto < u.value::pg_lsn;
  with told as materialized (
    select distinct c ->> 'schema' as schema, c ->> 'name' as name, c -> 'columns' as columns, c ->> 'operation' = 't' as truncated
    from jsonb_array_elements(changes) c
  ), tables as materialized (
    select o.*, f.relation, portolan.shape_stamp(f.relation) as shape,
      o.columns = portolan.logged_columns(f.relation) as same
    from told o
      cross join lateral (select coalesce(
        to_regclass(format('%I.%I', o.schema, o.name)),
        (select s.logicalrelid from pg_dist_shard s where s.shardid::text = substring(o.name from '_(\d+)$'))) as relation) f
    where exists (
      select from portolan.event_tables t
      where t.active and f.relation::oid = any (t.members) and portolan.shard_kind(f.relation) is not null)
  )
  insert into portolan.outbox (relation, shape, operation, at, old, new)
  select t.relation, case when t.same then t.shape end,
    case when t.same then (c.change ->> 'operation')::"char" else 't' end,
    to_timestamp((c.change ->> 'at')::float8),
    case when t.same then array(select jsonb_array_elements_text(nullif(c.change -> 'old', 'null'))) end,
    case when t.same then array(select jsonb_array_elements_text(nullif(c.change -> 'new', 'null'))) end
  from jsonb_array_elements(changes) with ordinality c (change, place)
    join tables t on (t.schema, t.name, t.columns, t.truncated)
      = (c.change ->> 'schema', c.change ->> 'name', c.change -> 'columns', c.change ->> 'operation' = 't')
  order by c.place;
  if found then
    perform pg_notify('portolan', '');
  end if;
  return true;
end
$$;
