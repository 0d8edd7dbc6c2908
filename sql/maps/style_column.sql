-- How a style can use a column: integer, decimal, boolean, datetime or text; other for a type that it cannot use, null where
-- there is no such column, or none that the caller may select: only the style of Portolan's owner, which is for everybody, may use
-- them all. A function that is called with the owner's rights counts as the owner.
create or replace function portolan.style_column(relation regclass, name text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case
      when b.typname in ('int2', 'int4', 'int8') then 'integer'
      when b.typname in ('numeric', 'float4', 'float8') then 'decimal'
      when b.typcategory = 'B' then 'boolean'
      when b.typcategory = 'D' then 'datetime'
      when b.typcategory in ('S', 'E', 'I') or b.typname = 'uuid' then 'text'
      else 'other'
    end
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
  where a.attrelid = relation and a.attname = style_column.name and a.attnum > 0 and not a.attisdropped
    and (has_column_privilege(a.attrelid, a.attnum, 'select')
      or exists (
        select from pg_namespace n join pg_roles r on r.oid = n.nspowner
        where n.oid = 'portolan'::regnamespace and r.rolname = current_user))
$$;
