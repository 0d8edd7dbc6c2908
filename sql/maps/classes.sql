-- Divides a column's values into at most this many classes, each with its number of rows; null, NaN and infinity are in
-- none. method equal: intervals of one length; quantile: the same number of rows in each; natural: around the means that the
-- values are nearest to (k-means by PostGIS, over a thousand of them); unique: each value its own class, the most frequent
-- first, lower = upper. A row is in a class if its value is at least the lower bound and less than the upper one; the last
-- class includes its upper bound. Security invoker: only rows that the caller may see. Raises PX400.
create or replace function portolan.classes(
  relation regclass, column_name text, most integer default 5, method text default 'quantile'
) returns table (lower jsonb, upper jsonb, count bigint)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_kind text := portolan.style_column(relation, column_name);
  v_values text := format('(select t.%1$I as v from %2$s t where t.%1$I is not null) x', column_name, relation);
  v_bounds numeric[];
begin
  if v_kind is null or not has_column_privilege(relation, column_name, 'select') then
    raise exception 'there is no column "%"', column_name using errcode = 'PX400';
  elsif most is null or most not between 1 and 100 then
    raise exception 'count: must be a number from 1 to 100' using errcode = 'PX400';
  elsif v_kind = 'other' then
    raise exception 'the values of the column "%" cannot be divided into classes', column_name using errcode = 'PX400';
  elsif method = 'unique' then
    return query execute format(
      'select to_jsonb(x.v), to_jsonb(x.v), count(*) from %s group by x.v order by 3 desc, x.v limit $1', v_values)
      using most;
    return;
  elsif method is null or method not in ('equal', 'quantile', 'natural') then
    raise exception 'method: must be one of equal, quantile, natural, unique' using errcode = 'PX400';
  elsif v_kind not in ('integer', 'decimal') then
    raise exception 'the column "%" has no numbers: the method must be unique', column_name using errcode = 'PX400';
  end if;
  v_values := format('%s where x.v::numeric > ''-infinity'' and x.v::numeric < ''infinity''', v_values);
  execute portolan.class_bounds(v_values, method) into v_bounds using most;
  if cardinality(v_bounds) = 1 then
    v_bounds := v_bounds || v_bounds;
  end if;
  return query execute format(
    $sql$
    select to_jsonb($1[c.number]), to_jsonb($1[c.number + 1]), coalesce(n.count, 0)
    from generate_series(1, cardinality($1) - 1) c (number)
      left join (
        select least(greatest(width_bucket(x.v::numeric, $1), 1), cardinality($1) - 1) as number, count(*) as count
        from %s
        group by 1
      ) n using (number)
    order by c.number
    $sql$,
    v_values)
    using v_bounds;
end
$$;

grant execute on function portolan.classes(regclass, text, integer, text) to public;
