-- The text of the statement that judges records of a table for its caller: one row with the version of the table, whether
-- its schema may be used and no rule denies reading, the columns that may be selected, and for each record in $1 (the
-- table's row type as text) whether row level security shows it. The policies are applied to the record itself, not to the
-- present row. The records come from a table function whose alias is the table's own name, so that every form of reference
-- in a policy works, the whole row too.
create or replace function portolan.judge_sql(relation regclass) returns text
  language plpgsql stable
  set search_path = '' -- names come out qualified
as $$
declare
  v_class record;
  v_permissive text;
  v_restrictive text;
begin
  select c.oid, c.relname, c.relnamespace, c.relrowsecurity into v_class
  from pg_catalog.pg_class c where c.oid = relation;
  select
    pg_catalog.string_agg(q.condition, ' or ') filter (where q.polpermissive),
    pg_catalog.string_agg(q.condition, ' and ') filter (where not q.polpermissive)
  into v_permissive, v_restrictive
  from (
    select
      p.polpermissive,
      case
        when p.polroles = '{0}' then pg_catalog.format('(%s)', e.using)
        when p.polpermissive then pg_catalog.format('((select %s) and (%s))', h.has, e.using)
        else pg_catalog.format('((select not (%s)) or (%s))', h.has, e.using)
      end as condition
    from pg_catalog.pg_policy p,
      lateral (select coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'true') as using) e,
      lateral (
        select pg_catalog.string_agg(
          case when r.role = 0 then 'true' else pg_catalog.format('pg_catalog.pg_has_role(%s::oid, ''usage'')', r.role) end,
          ' or ') as has
        from pg_catalog.unnest(p.polroles) r (role)) h
    where p.polrelid = relation and p.polcmd in ('r', '*')) q;
  return pg_catalog.format(
    $statement$
select
  portolan.event_version(%1$s::oid) as version,
  pg_catalog.has_schema_privilege(%2$s::oid, 'usage') and portolan.access(%1$s::oid) <> 'deny' as usage,
  array(
    select a.attnum from pg_catalog.pg_attribute a
    where a.attrelid = %1$s::oid and a.attnum > 0 and not a.attisdropped
      and pg_catalog.has_column_privilege(%1$s::oid, a.attnum, 'select')) as columns,
  array(
    select case when (select not pg_catalog.row_security_active(%1$s::oid)) then true else ((%4$s) and (%5$s)) is true end
    from pg_catalog.unnest($1::text[]::%3$s[]) as %6$I) as visible
$statement$,
    v_class.oid, v_class.relnamespace, relation, coalesce(v_permissive, 'false'), coalesce(v_restrictive, 'true'),
    v_class.relname);
end
$$;
