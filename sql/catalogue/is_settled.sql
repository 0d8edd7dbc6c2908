-- Whether a gateway has made what this catalogue needs: rights of super users, triggers, records. `stamp`: as for
-- note_settled. Code that was migrated since may need more. The gateway calls it when a database wakes.
create or replace function portolan.is_settled(stamp text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.code and what was noted
as $$
  select exists (
    select from portolan.settings s where s.name = 'settled' and s.value = to_jsonb(portolan.settled_stamp(stamp)))
$$;
