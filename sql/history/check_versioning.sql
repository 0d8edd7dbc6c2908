-- Refuses a relation whose history cannot be kept, with the reason. Raises PX400.
create or replace function portolan.check_versioning(relation regclass) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_class record;
begin
  perform portolan.check_recorded(relation, 'history is kept');
  select c.relname, n.nspname into v_class
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not exists (select from pg_constraint k where k.conrelid = relation and k.contype = 'p') then
    raise exception '% has no primary key, which history needs: add one', relation using errcode = 'PX400';
  elsif exists (
    select from pg_namespace n
    where n.nspname = v_class.nspname || '__history'
      and not exists (select from portolan.history_schemas h where h.name = n.nspname))
  then
    raise exception 'the schema %__history exists already and is not Portolan''s: rename it', v_class.nspname
      using errcode = 'PX400';
  elsif octet_length(v_class.nspname) > 54 or octet_length(v_class.relname) > 57 then
    raise exception 'the names of % are too long for its history: shorten them', relation using errcode = 'PX400';
  elsif exists (
    select from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and a.attname in (
        'portolan_from', 'portolan_to', 'portolan_tx', 'portolan_by', 'portolan_ended_by', 'portolan_version'))
  then
    raise exception '% has a column whose name the history needs', relation using errcode = 'PX400';
  end if;
end
$$;
