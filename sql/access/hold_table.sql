-- Keeps a table as it is until the transaction ends, for a statement of the owner that names it: no other relation can take
-- its name. reads: the statement reads rows, so that an owner that is no core owner must not add an index or statistics
-- either. Writers continue. Raises PX409 where another relation has the name by now, PX400 where planned_code finds
-- something.
create or replace function portolan.hold_table(relation regclass, reads boolean default true) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_name constant text := relation::text;
  v_code text;
begin
  execute format('lock table %s in access share mode', v_name);
  begin
    perform from pg_namespace n where n.oid = (select c.relnamespace from pg_class c where c.oid = relation)
      and not portolan.is_core_owner(n.nspowner) for share;
  exception
    when insufficient_privilege then null; -- only a super user can keep a schema from being renamed
  end;
  if to_regclass(v_name) is distinct from relation or not exists (
    select from pg_class c where c.oid = relation and c.relkind in ('r', 'p'))
  then
    raise exception '% was replaced meanwhile: try again', v_name using errcode = 'PX409';
  end if;
  if not reads then
    return;
  elsif exists (select from pg_class c where c.oid = any (portolan.event_members(relation)) and c.relkind not in ('r', 'p')) then
    raise exception '% has a foreign table as a partition, which Portolan does not read', v_name using errcode = 'PX400';
  end if;
  if exists (
    select from pg_class c
    where c.oid = any (portolan.event_members(relation)) and not portolan.is_core_owner(c.relowner))
  then
    execute format('lock table %s in share update exclusive mode', v_name);
  end if;
  v_code := portolan.planned_code(relation);
  if v_code is not null then
    raise exception 'Portolan does not read %, since that would run the code of its owner with Portolan''s rights: %', v_name, v_code
      using errcode = 'PX400', hint = 'drop it, or let a super user own that function';
  end if;
end
$$;
