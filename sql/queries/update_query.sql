-- Changes members of a saved query: title, q, shared, and for super users owner; others stay. With `version` only
-- the query of that version is changed. Raises PX400, PX403 for somebody else's map, PX404 for one that the caller cannot see,
-- PX409 where somebody has changed it since that version.
create or replace function portolan.update_query(name text, changes jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_query portolan.queries;
  v_unknown text;
begin
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in ('title', 'q', 'shared', 'owner', 'version');
  if v_unknown is not null then
    raise exception 'a query has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  select m.* into v_query from portolan.queries m where m.name = update_query.name;
  if not found then
    raise exception 'there is no query "%"', name using errcode = 'PX404';
  end if;
  if coalesce(jsonb_typeof(changes -> 'version'), 'null') <> 'null' and changes -> 'version' <> to_jsonb(v_query.version) then
    raise exception 'somebody has changed the query "%" since', name using errcode = 'PX409';
  end if;
  v_query := jsonb_populate_record(v_query, changes - 'version');
  update portolan.queries m
  set
    title = v_query.title,
    q = v_query.q,
    shared = coalesce(v_query.shared, '{}'),
    owner = lower(v_query.owner)
  where m.name = update_query.name and m.version = v_query.version;
  if not found and exists (select from portolan.queries m where m.name = update_query.name and m.version <> v_query.version) then
    raise exception 'somebody has changed the query "%" since', name using errcode = 'PX409';
  elsif not found then
    raise exception 'the query "%" is somebody else''s', name using errcode = 'PX403';
  end if;
exception
  when foreign_key_violation then
    raise exception 'owner: there is no account "%"', v_query.owner using errcode = 'PX400';
end
$$;
