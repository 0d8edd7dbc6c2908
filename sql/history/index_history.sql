-- Makes the indexes of a twin that are missing: one by the key and the beginning of the version, so that ending a version
-- changes no index, and one for each spatial index of the table. Called by sync_history_columns.
create or replace function portolan.index_history(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_key text;
  v_column record;
begin
  select string_agg(quote_ident(k), ', ') into v_key from unnest(portolan.key_columns(relation)) k;
  if not exists (
    select from pg_index i
    where i.indrelid = history and i.indisunique
      and array(select a.attname::text from unnest(i.indkey::smallint[]) with ordinality k (n, o)
        join pg_attribute a on a.attrelid = history and a.attnum = k.n order by k.o)
        = portolan.key_columns(relation) || 'portolan_from'::text)
  then
    execute format('create unique index on %s (%s, portolan_from)', history, v_key);
  end if;
  for v_column in
    select distinct b.attname, m.amname
    from pg_index i
      join pg_class x on x.oid = i.indexrelid
      join pg_am m on m.oid = x.relam
      join pg_attribute b on b.attrelid = relation and b.attnum = i.indkey[0]
    where i.indrelid = relation and m.amname in ('gist', 'spgist', 'gin', 'brin') and i.indnatts = 1 and i.indkey[0] > 0
      and not exists (
        select from pg_index j
          join pg_class y on y.oid = j.indexrelid
          join pg_attribute h on h.attrelid = history and h.attnum = j.indkey[0]
        where j.indrelid = history and y.relam = m.oid and h.attname = b.attname)
  loop
    execute format('create index on %s using %s (%I)', history, v_column.amname, v_column.attname);
  end loop;
end
$$;

comment on function portolan.index_history(regclass, regclass) is 'Makes the indexes of a twin that are missing.';

revoke execute on function portolan.index_history(regclass, regclass) from public;
