-- The reason why a filter of the table must not be parsed with the owner's rights because of the names in it, besides
-- the reasons of code_in_filter; or null. PostgreSQL reads a text while it parses, as the type that a function, an
-- operator or a row needs there. So a filter may have no schema where an author decides the meaning of a name
-- (authors_schemas), none of another role that is no core owner beside a text that could be read as a type of that role
-- (has_bare_text), no subquery, no whole row, and no function or operator that has a value with code (code_in_value).
create or replace function portolan.names_in_filter(relation regclass, filter text) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_table name;
  v_type oid;
  v_names text[];
  v_qualifiers text[];
  v_schemas oid[];
  v_schema text;
  v_is_subquery boolean;
  v_is_row boolean;
begin
  select c.relname, c.reltype into v_table, v_type from pg_class c where c.oid = relation;
  select array_agg(t.name) filter (where t.kind = 'i'),
    array_agg(t.name) filter (where t.kind = 'i' and t.next = '.'),
    bool_or(t.kind = 'i' and not t.is_quoted and t.name in ('select', 'table')),
    bool_or(t.kind = 'i' and (t.next = '.' and t.second = '*'
      or t.name = v_table and t.next is distinct from '.' and t.before is distinct from '.' and not exists (
        select from pg_attribute a
        where a.attrelid = relation and a.attname = v_table and a.attnum > 0 and not a.attisdropped)))
  into v_names, v_qualifiers, v_is_subquery, v_is_row
  from (
      select x.kind, x.name, x.is_quoted, lead(x.name) over w as next, lead(x.name, 2) over w as second, lag(x.name) over w as before
      from portolan.filter_tokens(filter) x
      window w as (order by x.number)
    ) t;
  if v_is_subquery then
    return format('has a subquery: it may only use the columns of %s', relation);
  elsif v_is_row and portolan.code_in_value(v_type) then
    return format('compares the whole row of %s, a column of which may run the code of its owner', relation);
  end if;
  select n.nspname into v_schema
  from pg_namespace n
  where n.nspname = any (v_qualifiers) and n.oid in (select a from portolan.authors_schemas() a);
  if found then
    return format('names something of schema %I, where a role that is not trusted may create', v_schema);
  end if;
  if portolan.has_bare_text(filter) then
    select n.nspname into v_schema
    from pg_namespace n
    where n.nspname = any (v_qualifiers) and n.nspname !~ '^pg_' and not portolan.is_core_schema(n.oid);
    if found then
      return format('names something of schema %I, where others than the owner of Portolan may create, beside a text without '
        'a type: write ''…''::text, or another type of PostgreSQL', v_schema);
    end if;
  end if;
  v_schemas := array(
    select n.oid from pg_namespace n where n.nspname = any (v_qualifiers) or n.nspname = portolan.postgis_schema());
  return (
    with called (name, types) as materialized (
      select p.oid::regprocedure::text, p.prorettype || p.proargtypes::oid[]
      from pg_proc p
      where p.oid >= 16384 and p.pronamespace = any (v_schemas) and p.proname = any (v_names)
      union all
      select o.oid::regoperator::text, array[o.oprleft, o.oprright, o.oprresult]
      from pg_operator o
      where o.oid >= 16384 and o.oprnamespace = any (v_schemas)
    ), types (type) as materialized ( -- PostGIS has many operators of few types
      select distinct t from called c, unnest(c.types) t
    ), coded (types) as materialized (
      select array_agg(t.type) from types t where portolan.code_in_value(t.type)
    )
    select format('calls %s, a value of which may run the code of its owner', c.name)
    from called c, coded d
    where c.types && d.types
    limit 1);
end
$$;
