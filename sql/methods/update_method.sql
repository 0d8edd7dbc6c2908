-- Changes members of a method; members that are not in `changes` stay. Raises PX400, PX403 for another account's method,
-- PX404 for one that the caller cannot see.
create or replace function portolan.update_method(method text, changes jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_method portolan.methods;
  v_unknown text;
begin
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in (
    'q', 'type_hints', 'type_formats', 'output_format', 'srs', 'description', 'timeout_ms', 'max_rows', 'cache_seconds',
    'published');
  if v_unknown is not null then
    raise exception 'a method has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  select m.* into v_method from portolan.methods m where m.method = update_method.method;
  if not found then
    raise exception 'there is no method "%"', method using errcode = 'PX404';
  end if;
  v_method := jsonb_populate_record(v_method, changes);
  update portolan.methods m
  set
    q = v_method.q,
    type_hints = v_method.type_hints,
    type_formats = v_method.type_formats,
    output_format = coalesce(v_method.output_format, 'json'),
    srs = coalesce(v_method.srs, 4326),
    description = v_method.description,
    timeout_ms = v_method.timeout_ms,
    max_rows = v_method.max_rows,
    cache_seconds = v_method.cache_seconds,
    published = v_method.published
  where m.method = update_method.method;
  if not found then
    raise exception 'the method "%" belongs to another account', method using errcode = 'PX403';
  end if;
end
$$;
