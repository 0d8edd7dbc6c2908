-- Keeps the order of locks (one_at_a_time) for plain statements that write rules. The trigger _000_one_at_a_time calls it,
-- before any row is touched.
create or replace function portolan.tg_rules__one_at_a_time() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may lock portolan.migrations
as $$
begin
  perform portolan.one_at_a_time();
  return null;
end
$$;
