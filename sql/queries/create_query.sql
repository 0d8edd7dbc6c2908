-- Saves SQL, with parameters as in stored methods (:name), to run it again. The caller owns it; `shared` names accounts and groups
-- that see it too, * everybody who is signed in. Raises PX400, PX409, and 42501 for a caller who is not signed in.
create or replace function portolan.create_query(name text, q text, title text default null, shared text[] default '{}')
  returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into portolan.queries (name, title, q, shared) values (name, title, q, coalesce(shared, '{}'));
  return name;
exception
  when unique_violation then
    raise exception 'the query "%" exists', name using errcode = 'PX409';
end
$$;
