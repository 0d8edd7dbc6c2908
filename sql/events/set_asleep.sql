-- Tells writers whether the reader sleeps and wants to be woken. The process that holds the lease calls it.
create or replace function portolan.set_asleep(asleep boolean) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write the flag
  set synchronous_commit = off -- a flag that is lost costs a wake-up; the reader looks once a second anyway
as $$
  select setval('portolan.asleep', asleep::integer)
$$;
