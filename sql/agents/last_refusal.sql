-- The last refused call of an agent, as portolan.note_agents recorded it; null where there was none.
create or replace function portolan.last_refusal(id text) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
  select a.refusal from portolan.agents a where a.id = last_refusal.id
$$;

revoke execute on function portolan.last_refusal(text) from public;
