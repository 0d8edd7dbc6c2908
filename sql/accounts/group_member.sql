-- A list of groups as the member `user_group` shows it: null, one name, or the list.
create or replace function portolan.group_member(groups jsonb) returns jsonb
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$ select case when jsonb_array_length(groups) > 1 then groups else groups -> 0 end $$;
