-- Tells every gateway process that its cache of a subject (the trigger's argument) is out of date.
create or replace function portolan.tg__bump_generation() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: a writer of the table may not write this one
as $$
begin
  update portolan.generations g set generation = g.generation + 1 where g.subject = tg_argv[0];
  return null;
end
$$;
