-- SQL that makes or drops an index or a constraint, or sets a comment, for change_schema. Raises PX400, PX404.
create or replace function portolan.index_ddl(change jsonb, relation text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
  case change ->> 'op'
    when 'create_index' then
      if coalesce(change ->> 'method', 'btree') <> all ('{btree,hash,gist,spgist,gin,brin}') then
        raise exception 'there is no index method %', quote_literal(change ->> 'method') using errcode = 'PX400';
      end if;
      return format('create %sindex %son %s%s (%s);', case when change -> 'unique' = 'true' then 'unique ' else '' end,
        case when change ->> 'name' is not null then portolan.identifier(change ->> 'name') || ' ' else '' end, relation,
        ' using ' || (change ->> 'method'), portolan.identifiers(change -> 'columns'));
    when 'drop_index' then
      return coalesce((
        select format('drop index %s;', i.indexrelid::regclass)
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = relation::regclass and c.relname = change ->> 'name'
      ), portolan.raise_not_found('index', change ->> 'name', relation));
    when 'add_constraint' then
      return format('alter table %s add %s;', relation, portolan.constraint_sql(change));
    when 'drop_constraint' then
      return coalesce((
        select format('alter table %s drop constraint %I;', relation, c.conname)
        from pg_constraint c
        where c.conrelid = relation::regclass and c.conname = change ->> 'name'
      ), portolan.raise_not_found('constraint', change ->> 'name', relation));
    when 'comment' then
      if change ->> 'column' is not null then
        return format('comment on column %s.%s is %L;', relation, portolan.identifier(change ->> 'column'), change ->> 'comment');
      end if;
      return format('comment on %s %s is %L;', (
        select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end
        from pg_class c where c.oid = relation::regclass), relation, change ->> 'comment');
  end case;
end
$$;
