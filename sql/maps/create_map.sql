-- Saves a map (see map_problem). The caller owns it; `shared` names accounts and groups that see it too, * everybody, who then
-- see it on its public page. Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_map(
  name text, title text default null, view jsonb default null, layers jsonb default '[]', shared text[] default '{}'
) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into portolan.maps (name, title, view, layers, shared)
  values (name, title, nullif(view, 'null'), coalesce(layers, '[]'), coalesce(shared, '{}'));
  return name;
exception
  when unique_violation then
    raise exception 'the map "%" exists', name using errcode = 'PX409';
end
$$;
