-- Makes the missing indexes of a twin: one by the key and the number of the version, so that ending a version changes no
-- index, and one for each index of the table that is not a B-tree, with its operator class. Where the first is missing (a
-- new history, a new key), the versions are numbered again in the order of their beginnings. An index with a type or
-- operator class of a role that is no core owner is left out, since both run code at each write; doctor says so.
create or replace function portolan.index_history(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_key text;
  v_index record;
begin
  select string_agg(quote_ident(k), ', ') into v_key from unnest(portolan.key_columns(relation)) k;
  if not exists (
    select from pg_index i
    where i.indrelid = history and i.indisunique
      and array(select a.attname::text from unnest(i.indkey::smallint[]) with ordinality k (n, o)
        join pg_attribute a on a.attrelid = history and a.attnum = k.n order by k.o)
        = portolan.key_columns(relation) || 'portolan_version'::text)
  then
    execute format('alter table %s add column if not exists portolan_version integer', history);
    for v_index in select i.indexrelid::regclass as name from pg_index i where i.indrelid = history and i.indisunique loop
      execute format('drop index %s', v_index.name);
    end loop;
    execute format(
      'update %1$s h set portolan_version = n.version '
      'from (select x.ctid as place, row_number() over (partition by %2$s order by x.portolan_from, x.portolan_to) as version '
      '  from %1$s x) n '
      'where h.ctid = n.place and h.portolan_version is distinct from n.version', history, v_key);
    execute format('create unique index on %s (%s, portolan_version)', history, v_key);
  end if;
  for v_index in
    select i.*
    from portolan.history_indexes(relation) i
    where not i.has_code and not exists (
      select from pg_index j
        join pg_class y on y.oid = j.indexrelid
        join pg_am m on m.oid = y.relam
        join pg_attribute h on h.attrelid = history and h.attnum = j.indkey[0]
      where j.indrelid = history and m.amname = i.method and h.attname = i.column_name and j.indclass[0] = i.operator_class)
  loop
    execute format('create index on %s %s', history, v_index.definition);
  end loop;
end
$$;
