-- The statements that give a role exactly these privileges on columns of a table or view. columns: {name: [select,
-- insert, update]}; columns that it does not name do not change. Empty where nothing must change. Raises PX400.
create or replace function portolan.column_grants(relation regclass, role text, columns jsonb) returns setof text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_problem text;
  v_schema text := (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = relation);
begin
  if coalesce(jsonb_typeof(columns), 'null') <> 'object' then
    raise exception 'columns: must be an object of columns and their privileges' using errcode = 'PX400';
  end if;
  select case
      when not exists (
        select from pg_attribute a
        where a.attrelid = relation and a.attname = c.key and a.attnum > 0 and not a.attisdropped)
        then format('%s has no column "%s"', relation, c.key)
      else format('columns.%s: must be a list of select, insert and update', c.key)
    end
  into v_problem
  from jsonb_each(columns) c
  where not exists (
      select from pg_attribute a where a.attrelid = relation and a.attname = c.key and a.attnum > 0 and not a.attisdropped)
    or jsonb_typeof(c.value) <> 'array' or not c.value <@ '["select", "insert", "update"]'
  limit 1;
  if v_problem is not null then
    raise exception '%', v_problem using errcode = 'PX400';
  end if;
  return query
    with wanted as materialized (
      select a.attnum, a.attname, p.privilege, p.place, columns -> a.attname::text ? p.privilege as wants,
        exists (
          select from aclexplode(a.attacl) g
          where g.grantee = to_regrole(quote_ident(role)) and g.privilege_type = upper(p.privilege)) as has
      from pg_attribute a cross join unnest('{select,insert,update}'::text[]) with ordinality p (privilege, place)
      where a.attrelid = relation and a.attnum > 0 and columns ? a.attname::text
    ), parts as (
      select w.wants, w.place, format('%s (%s)', w.privilege, string_agg(quote_ident(w.attname), ', ' order by w.attnum)) as part
      from wanted w
      where w.wants <> w.has
      group by w.wants, w.place, w.privilege
    )
    select format('revoke %s on table %s from %I', string_agg(p.part, ', ' order by p.place), relation, role)
    from parts p where not p.wants having count(*) > 0
    union all
    select format('grant usage on schema %I to %I', v_schema, role)
    where exists (select from wanted w where w.wants and not w.has) and not has_schema_privilege(role, v_schema, 'usage')
    union all
    select format('grant %s on table %s to %I', string_agg(p.part, ', ' order by p.place), relation, role)
    from parts p where p.wants having count(*) > 0
    union all
    -- the defaults of new rows
    select format('grant usage on sequence %s to %I', s.oid::regclass, role)
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.refobjid = relation and d.deptype in ('a', 'i')
      and exists (select from wanted w where w.wants and not w.has and w.privilege = 'insert')
      -- PostgreSQL may evaluate this first for a relation that is not a sequence
      and case when s.relkind = 'S' then not has_sequence_privilege(role, s.oid, 'usage') end;
end
$$;
