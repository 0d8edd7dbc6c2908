-- A field of a row as text, such as `(1,"a, b",)`, by the number of fields before it (0 to 255). Only for values without quotes
-- and commas, such as geometries; null for an empty one. Raises 2201B for more fields.
create or replace function portolan.row_field(row_text text, before integer) returns text
  language sql immutable strict
  set search_path = pg_catalog, pg_temp
as $$
  select nullif(rtrim(split_part(
    -- the pattern ends before the field, which may have millions of digits
    substr(row_text, length(substring(row_text from '^\((?:(?:"(?:[^"]|"")*"|[^",]*),){' || before || '}')) + 1), ',', 1), ')'), '')
$$;
