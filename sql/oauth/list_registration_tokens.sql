-- The initial access tokens with which clients may still register, latest first, without their hashes: who made each, what each of
-- its clients gets, and how many it still registers until when.
create or replace function portolan.list_registration_tokens() returns table (
  id uuid,
  made_by text,
  made_at timestamptz,
  expires_at timestamptz,
  uses_left integer,
  members jsonb
)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read registration tokens
as $$
  select t.id, t.made_by, t.made_at, t.expires_at, t.uses_left, t.members
  from portolan.registration_tokens t
  where t.uses_left > 0 and t.expires_at > clock_timestamp()
  order by t.made_at desc, t.id
$$;
