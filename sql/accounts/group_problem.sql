-- Why no new account can be in `user_group`, the name of a group or several names with commas between them; null where it can. The
-- gateway calls it, and doctor.
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
