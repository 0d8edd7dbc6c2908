-- Makes a stored method. Accounts call it over REST, and a DBA in SQL: then the method is published. Raises PX400, PX409,
-- and 42501 for a caller who is not signed in.
create or replace function portolan.create_method(
  method text,
  q text,
  type_hints jsonb default null,
  type_formats jsonb default null,
  output_format text default 'json',
  srs integer default 4326,
  description text default null,
  timeout_ms integer default null,
  max_rows integer default null,
  cache_seconds integer default null
) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into portolan.methods
    (method, q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds)
  values (
    method, q, type_hints, type_formats, coalesce(output_format, 'json'), coalesce(srs, 4326), description, timeout_ms,
    max_rows, cache_seconds);
  return method;
exception
  when unique_violation then
    raise exception 'the method "%" exists', method using errcode = 'PX409';
end
$$;
