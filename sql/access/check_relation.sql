-- Refuses a relation that is not a table or view of a team. Raises PX400, PX404.
create or replace function portolan.check_relation(relation regclass) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind "char";
  v_schema text;
begin
  select c.relkind, n.nspname into v_kind, v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not found then
    raise exception 'the relation does not exist' using errcode = 'PX404';
  end if;
  if v_kind not in ('r', 'p', 'v', 'm', 'f') then
    raise exception '% is not a table or view', relation using errcode = 'PX400';
  end if;
  if exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = relation and d.deptype = 'e'
  ) or not v_schema = any (portolan.shown_schemas()) then
    raise exception '% is not a relation of this service', relation using errcode = 'PX400';
  end if;
end
$$;
