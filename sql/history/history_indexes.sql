-- The indexes of a table that its history has too: those of one column that are GiST, SP-GiST, GIN or BRIN, one for each
-- column and operator class. definition: the part after ON <table> of the statement that makes the index, without its
-- condition, because old versions are searched too. has_code: a type or operator class of it may run code of
-- a role that is no core owner, so the history goes without it.
create or replace function portolan.history_indexes(relation regclass)
  returns table (name regclass, column_name name, method name, operator_class oid, definition text, has_code boolean)
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
#variable_conflict use_column
begin
  return query
  select distinct on (b.attname, m.amname, i.indclass[0])
    i.indexrelid::regclass, b.attname, m.amname, i.indclass[0],
    substr(
      left(d.text, length(d.text) - length(coalesce(' WHERE ' || pg_get_expr(i.indpred, i.indrelid), ''))),
      length(format('CREATE INDEX %I ON %s%I.%I ', x.relname, case when c.relkind = 'p' then 'ONLY ' else '' end,
        n.nspname, c.relname)) + 1),
    exists (select from portolan.base_type(b.atttypid, -1) t, portolan.author_types(t.oid) a where a.kind <> 'e')
      or exists (
        with owners as materialized ( -- whether one is a core owner is asked once of each, not of each function
          select o.opcowner as owner
          union
          select p.proowner from pg_amproc f join pg_proc p on p.oid = f.amproc where f.amprocfamily = o.opcfamily
          union
          select p.proowner
          from pg_amop f join pg_operator r on r.oid = f.amopopr join pg_proc p on p.oid = r.oprcode
          where f.amopfamily = o.opcfamily
        )
        select from owners w where not portolan.is_core_owner(w.owner))
  from pg_index i
    join pg_class x on x.oid = i.indexrelid
    join pg_am m on m.oid = x.relam
    join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute b on b.attrelid = history_indexes.relation and b.attnum = i.indkey[0]
    join pg_opclass o on o.oid = i.indclass[0]
    cross join lateral pg_get_indexdef(i.indexrelid) d (text)
  where i.indrelid = history_indexes.relation and m.amname in ('gist', 'spgist', 'gin', 'brin') and i.indnatts = 1 and i.indkey[0] > 0
  order by b.attname, m.amname, i.indclass[0], i.indexrelid;
end
$$;
