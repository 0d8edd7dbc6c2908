-- Saves a thing of a kind (see saved_kinds) under item.name; members that are missing have their defaults. The caller owns it.
-- Raises PX400, PX404 for a table that does not exist, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_saved(noun text, item jsonb) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind record;
  v_unknown text;
begin
  select k.relation, k.members into strict v_kind from portolan.saved_kinds() k where k.noun = create_saved.noun;
  select string_agg(format('"%s"', i.key), ', ') into v_unknown
  from jsonb_object_keys(item) i (key)
  where i.key <> 'name' and i.key <> all (v_kind.members);
  if v_unknown is not null then
    raise exception 'a % has no %', noun, v_unknown using errcode = 'PX400';
  end if;
  execute format(
    'insert into portolan.%1$I (%2$s) select %2$s from jsonb_populate_record(null::portolan.%1$I, $1)',
    v_kind.relation,
    (select string_agg(format('%I', m), ', ') from unnest('name'::text || v_kind.members) m))
    using item;
  return item ->> 'name';
exception
  when unique_violation then
    raise exception 'the % "%" exists', noun, item ->> 'name' using errcode = 'PX409';
  when undefined_table or invalid_schema_name then
    raise exception 'there is no table or view "%"', item ->> 'relation' using errcode = 'PX404';
end
$$;
