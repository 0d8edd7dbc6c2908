-- The stored methods of these names, or all (null). The gateway calls it as the caller's role: row security on
-- portolan.methods decides which are visible. A super user also sees the methods that it may change and publish but not
-- call; `callable` tells them apart. Raises PX404 for an unknown name when it must exist.
create or replace function portolan.list_methods(names text[] default null, must_exist boolean default true) returns table (
  method text,
  q text,
  type_hints jsonb,
  type_formats jsonb,
  output_format text,
  srs integer,
  input_schema json,
  output_schema json,
  owner text,
  published boolean,
  description text,
  timeout_ms integer,
  max_rows integer,
  cache_seconds integer,
  callable boolean
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
begin
  select n into v_unknown
  from unnest(names) n
  where must_exist and not exists (select from portolan.methods m where m.method = n);
  if v_unknown is not null then
    raise exception 'there is no method "%"', v_unknown using errcode = 'PX404';
  end if;
  return query
    select
      m.method, m.q, m.type_hints, m.type_formats, m.output_format, m.srs,
      case when fresh then m.input_schema end, case when fresh then m.output_schema end,
      m.owner, m.published, m.description, m.timeout_ms, m.max_rows, m.cache_seconds, may_call
    from portolan.methods m,
      lateral (select portolan.relations_stamp(m.relations) = m.relations_stamp as fresh) s,
      lateral (select
        m.published
        or m.owner = (select me.name from portolan.me)
        or portolan.is_of_super_user(m.method) as may_call) c
    where names is null or m.method = any (names)
    order by m.method;
end
$$;
