-- Whether a table has too many rows for work inside a request: more than 100,000.
create or replace function portolan.is_large(relation regclass) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  set row_security = off -- an error rather than a policy that runs as the owner
as $$
declare
  v_members oid[] := portolan.event_members(relation);
  v_large boolean;
begin
  if exists (select from pg_class c where c.oid = any (v_members) and not portolan.is_core_owner(c.relowner))
    or portolan.planned_code(relation) is not null
  then
    -- reading it would run its owner's policies, or code at planning, so its size decides
    return (
      select sum(
        case when c.reltuples > 0 and c.relpages > 0 then c.reltuples / c.relpages else 50 end
        * pg_relation_size(c.oid) / current_setting('block_size')::integer) > 100000
      from pg_class c
      where c.oid = any (v_members) and c.relkind = 'r');
  end if;
  -- reads the first rows instead of using an old estimate
  execute format('select exists (select 1 from %s offset 100000)', relation) into v_large;
  return v_large;
exception
  when insufficient_privilege then
    return false; -- unreadable rows are not copied either
end
$$;
