-- Whether the caller would be let to a relation, or limited, if it had signed in with a second factor, which the account may
-- have. Security invoker, since rules go by the caller.
create or replace function portolan.needs_factor(relation regclass, request text default 'select') returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(portolan.lack_of_factor(relation, request) = 'needed', false)
$$;
