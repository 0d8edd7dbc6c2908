-- Checks the row of a saved query in every write. Raises PX400.
create or replace function portolan.tg_queries__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem constant text := portolan.chart_problem(new.chart);
begin
  if new.q is null or length(new.q) not between 1 and 100000 then
    raise exception 'q: must have 1 to 100000 characters' using errcode = 'PX400';
  elsif v_problem is not null then
    raise exception 'chart%', v_problem using errcode = 'PX400';
  end if;
  return new;
end
$$;
