-- SQL that gives the distinct bounds of classes, in order, as numeric[], or null without a value. values: a FROM item with
-- the column x.v, and its condition. $1: the largest number of classes. Bounds of equal classes are rounded to about a
-- thousandth of the whole span. Raises PX400 for natural without PostGIS.
create or replace function portolan.class_bounds("values" text, method text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  case method
    when 'equal' then
      return format(
        $sql$
        select array_agg(distinct b order by b)
        from (select min(x.v)::numeric as least, max(x.v)::numeric as most from %s) e,
          lateral (
            select case when i in (0, $1) then e.least + (e.most - e.least) * (i / $1) else
              round(e.least + (e.most - e.least) * i / $1, 4 - ceil(log(greatest(e.most - e.least, 1e-100)))::integer) end as b
            from generate_series(0, $1) i
          ) bounds
        where b is not null
        $sql$,
        "values");
    when 'quantile' then
      return format(
        $sql$
        select (select array_agg(distinct b::numeric order by b::numeric) from unnest(p.bounds) b)
        from (
          select percentile_disc(array(select i::float8 / $1 from generate_series(0, $1) i)) within group (order by x.v) as bounds
          from %s
        ) p
        $sql$,
        "values");
    else
      if portolan.postgis_schema() is null then
        raise exception 'method: natural needs PostGIS' using errcode = 'PX400';
      end if;
      return format(
        $sql$
        with sample as (
          select distinct unnest(percentile_disc(array(select i / 999.0::float8 from generate_series(0, 999) i))
            within group (order by x.v))::numeric as v
          from %1$s
        ), clusters as (
          select s.v,
            %2$I.st_clusterkmeans(%2$I.st_makepoint(s.v::float8, 0), least($1, (select count(*) from sample))::integer) over () as c
          from sample s
        )
        select array_agg(distinct b order by b)
        from (select min(v) as b from clusters group by c union all select max(v) from clusters) bounds
        where b is not null
        $sql$,
        "values", portolan.postgis_schema());
  end case;
end
$$;

grant execute on function portolan.class_bounds(text, text) to public;
