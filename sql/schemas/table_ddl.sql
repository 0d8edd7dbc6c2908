-- SQL that makes, renames or drops a table, for change_schema. owner@ owns a new table, so that every super user may alter
-- it. Raises PX400, PX404.
create or replace function portolan.table_ddl(change jsonb, relation text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
  case change ->> 'op'
    when 'create_table' then
      return format(E'create table %s (\n  %s\n);\nalter table %1$s owner to %3$I;', relation, (
          select string_agg(d.text, E',\n  ' order by d.place)
          from (
            select portolan.column_sql(c.column) as text, c.place
            from jsonb_array_elements(change -> 'columns') with ordinality c ("column", place)
            union all
            select case when jsonb_array_length(change -> 'key') > 0
              then format('primary key (%s)', portolan.identifiers(change -> 'key')) end, 10000
            union all
            select portolan.constraint_sql(c.wanted), 10000 + c.place
            from jsonb_array_elements(change -> 'constraints') with ordinality c (wanted, place)
          ) d
        ), portolan.role_name('owner'))
        || portolan.spatial_index_sql(change -> 'columns', relation)
        || case when change ->> 'comment' is null then ''
          else format(E'\ncomment on table %s is %L;', relation, change ->> 'comment') end
        || coalesce((
          select string_agg(E'\n' || format('comment on column %s.%I is %L;', relation, c ->> 'name', c ->> 'comment'), '')
          from jsonb_array_elements(change -> 'columns') c
          where c ->> 'comment' is not null), '');
    when 'alter_table' then
      return format('alter table %s rename to %s;', relation, portolan.identifier(change ->> 'name'));
    when 'drop_table' then
      return format('drop %s %s;', (
        select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end
        from pg_class c where c.oid = relation::regclass), relation);
  end case;
end
$$;
