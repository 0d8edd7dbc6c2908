-- Records an id that is valid once, for the given number of seconds: the `jti` of an assertion. False: it was used
-- before. The gateway calls it.
create or replace function portolan.use_id(id uuid, seconds integer) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.used_ids
as $$
  with noted as (
    insert into portolan.used_ids (id, expires_at)
    values (use_id.id, clock_timestamp() + make_interval(secs => use_id.seconds))
    on conflict do nothing
    returning id
  )
  select exists (select from noted)
$$;
