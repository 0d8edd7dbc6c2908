-- Whether a relation is in one of shown_schemas(), and belongs to a team: the answer for one, without a search of the catalogue.
create or replace function portolan.is_shown(relation oid) returns boolean
  language plpgsql stable -- not sql, which would plan it at each call: DDL asks for each new table
  set search_path = pg_catalog, pg_temp
as $$
begin
  return portolan.is_team_relation(relation) and (
    select coalesce(
      (select s.value ? n.nspname from portolan.settings s where s.name = 'schemas'),
      -- a schema that holds a relation of a team is shown, unless it belongs to an extension
      not exists (
        select from pg_depend d
        where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e'))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = relation);
end
$$;
