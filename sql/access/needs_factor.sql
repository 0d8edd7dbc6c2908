-- Whether a second factor, which the account may have, would let the caller access a relation, fully or limited.
-- Security invoker, since rules depend on the caller.
create or replace function portolan.needs_factor(relation regclass, request text default 'select') returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(portolan.lack_of_factor(relation, request) = 'needed', false)
$$;
