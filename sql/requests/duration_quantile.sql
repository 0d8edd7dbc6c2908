-- The time in ms within which this part of the requests was answered, from the counts of request_minutes: at most a quarter
-- too long. Null without requests.
create or replace function portolan.duration_quantile(durations integer[], part double precision) returns real
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select (0.25 * 1.25 ^ (min(s.place) - 1))::real
  from (
    select d.place, sum(d.n) over (order by d.place) as reached, sum(d.n) over () as n
    from unnest(durations) with ordinality d (n, place)
  ) s
  where s.n > 0 and s.reached >= part * s.n
$$;

revoke execute on function portolan.duration_quantile(integer[], double precision) from public;
