-- The reason why no new account can be in `user_group`, which is the name of a group, or several names joined by
-- commas; null if it can. Called by the gateway and by doctor.
create or replace function portolan.group_problem(user_group text) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read accounts
as $$
begin
  perform portolan.check_groups('', portolan.group_list(to_jsonb(regexp_split_to_array(user_group, '\s*,\s*'))));
  return null;
exception
  when sqlstate 'PX400' then
    return sqlerrm;
end
$$;
