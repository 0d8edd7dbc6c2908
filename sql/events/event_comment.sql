-- The events setting in the comment of a relation: `@events on` is true, `@events off` false, otherwise null.
create or replace function portolan.event_comment(relation oid) returns boolean
  language plpgsql stable -- not sql, which would plan it at each call, for each table of the database
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (regexp_match(obj_description(relation, 'pg_class'), '(?:^|\n)\s*@events\s+(on|off)\s*(?:\n|$)'))[1] = 'on';
end
$$;
