-- Whether a command of DDL on these tables or schemas goes on when its event triggers have run: Citus then changes the shards of
-- tables that it keeps, and takes new tables that it is going to keep, such as those that refer to a reference table. So does
-- what follows such a command in its transaction, which may be a part of it.
create or replace function portolan.awaits_shards(command text, objects oid[]) returns boolean
  language plpgsql stable -- not sql: without Citus there is no such table
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not portolan.has_citus() then
    return false;
  end if;
  return exists (select from portolan.ddl_on_shards d where d.transaction = pg_current_xact_id())
    or exists (
      select from pg_dist_partition p
      where command in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
        or p.logicalrelid = any (objects)
        or (select c.relnamespace from pg_class c where c.oid = p.logicalrelid) = any (objects));
end
$$;
