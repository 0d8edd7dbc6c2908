-- Changes the given members of a saved thing (see saved_kinds), and for super users its owner; others stay. With `version`
-- only the thing of that version is changed. Raises PX400, PX403 for another account's, PX404 for one that the caller cannot
-- see and for a table that does not exist, PX409 where it was changed since that version.
create or replace function portolan.update_saved(noun text, name text, changes jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind record;
  v_unknown text;
  v_version integer;
  v_count integer;
begin
  select k.relation, k.members || 'owner'::text as members into strict v_kind
  from portolan.saved_kinds() k where k.noun = update_saved.noun;
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key <> 'version' and c.key <> all (v_kind.members);
  if v_unknown is not null then
    raise exception 'a % has no % that could be changed', noun, v_unknown using errcode = 'PX400';
  end if;
  execute format('select m.version from portolan.%I m where m.name = $1', v_kind.relation) into v_version using name;
  if v_version is null then
    raise exception 'there is no % "%"', noun, name using errcode = 'PX404';
  end if;
  if coalesce(jsonb_typeof(changes -> 'version'), 'null') <> 'null' and changes -> 'version' <> to_jsonb(v_version) then
    raise exception 'another session has changed the % "%" since', noun, name using errcode = 'PX409';
  end if;
  execute format(
    'update portolan.%1$I m set (%2$s) = (select %3$s from jsonb_populate_record(m, $2) r) where m.name = $1 and m.version = $3',
    v_kind.relation,
    (select string_agg(format('%I', m), ', ') from unnest(v_kind.members) m),
    (select string_agg(format('r.%I', m), ', ') from unnest(v_kind.members) m))
    using name, changes - 'version', v_version;
  get diagnostics v_count = row_count;
  if v_count = 0 then
    execute format('select m.version from portolan.%I m where m.name = $1', v_kind.relation) into v_count using name;
    if v_count <> v_version then
      raise exception 'another session has changed the % "%" since', noun, name using errcode = 'PX409';
    end if;
    raise exception 'the % "%" belongs to another account', noun, name using errcode = 'PX403';
  end if;
exception
  when foreign_key_violation then
    raise exception 'owner: there is no account "%"', changes ->> 'owner' using errcode = 'PX400';
  when undefined_table or invalid_schema_name then
    raise exception 'there is no table or view "%"', changes ->> 'relation' using errcode = 'PX404';
end
$$;
