-- Opens a version for each row that stands in the next pages of a table or partition and has none. What a writer does to such
-- a row at the same time and what is done here meet at the number of the version, which is unique: who comes second leaves
-- it to the first. Returns the next position, and how many rows were copied.
create or replace function portolan.copy_portion(
  relation regclass, member regclass, history regclass, "position" jsonb, out next jsonb, out rows bigint)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_most_ms constant numeric := 40; -- a writer may wait for as long
  v_file text := pg_relation_filenode(member)::text;
  v_pages bigint := pg_relation_size(member) / current_setting('block_size')::integer;
  -- a table that was written anew (VACUUM FULL, CLUSTER) has its rows elsewhere
  v_from bigint := case when "position" ->> 'file' = v_file then ("position" ->> 'block')::bigint else 0 end;
  v_blocks bigint := ("position" ->> 'blocks')::bigint;
  v_to bigint := least(v_from + v_blocks, v_pages);
  v_columns text;
  v_values text;
  v_match text;
  v_began timestamptz := clock_timestamp();
begin
  select
    string_agg(quote_ident(a.attname), ', ' order by a.attnum), string_agg(format('b.%I', a.attname), ', ' order by a.attnum)
  into v_columns, v_values
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  select string_agg(format('h.%1$I = b.%1$I', k), ' and ') into v_match from unnest(portolan.key_columns(relation)) k;
  execute format(
    'insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version) '
    'select %3$s, greatest(now(), %4$s), ''infinity'', pg_current_xact_id(), session_user, %5$s '
    'from only %6$s b %7$s where b.ctid >= %8$L and b.ctid < %9$L %10$s on conflict do nothing',
    history, v_columns, v_values,
    case when ("position" ->> 'fresh')::boolean then 'null' else 'm.portolan_to' end,
    case when ("position" ->> 'fresh')::boolean then '1' else 'coalesce(m.portolan_version, 0) + 1' end,
    member,
    case when not ("position" ->> 'fresh')::boolean then format(
      'left join lateral (select h.portolan_to, h.portolan_version from %s h where %s '
      'order by h.portolan_version desc limit 1) m on true', history, v_match) end,
    format('(%s,0)', v_from), format('(%s,0)', v_to),
    case when not ("position" ->> 'fresh')::boolean then 'and m.portolan_to is distinct from ''infinity''' end);
  get diagnostics rows = row_count;
  next := "position" || jsonb_build_object(
    'file', v_file,
    'block', v_to,
    'blocks', greatest(1, least(v_blocks * 2, 65536, (v_blocks * v_most_ms
      / greatest(1, extract(epoch from clock_timestamp() - v_began) * 1000))::bigint)));
  if v_to >= v_pages then
    next := next - 'file' || jsonb_build_object('filled', next -> 'filled' || to_jsonb(member::oid::text));
  end if;
end
$$;

comment on function portolan.copy_portion(regclass, regclass, regclass, jsonb) is
  'Opens a version for each row in the next pages of a table.';

revoke execute on function portolan.copy_portion(regclass, regclass, regclass, jsonb) from public;
