-- The last call of an agent that was refused, as portolan.note_agents was told; null where none was.
create or replace function portolan.last_refusal(id text) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
  select a.refusal from portolan.agents a where a.id = last_refusal.id
$$;

revoke execute on function portolan.last_refusal(text) from public;
