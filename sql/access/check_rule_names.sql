-- Checks that the names of a rule mean something. A plain name that does not exist, or that only a view, a materialized view
-- or a foreign table has in the schemas of the rule, would silently protect nothing. A glob may match nothing yet, which is
-- a notice. Raises PX400.
create or replace function portolan.check_rule_names(username text, schema text, "table" text) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tables text := portolan.like_pattern("table");
  v_schemas text := portolan.like_pattern(schema);
  v_relation regclass;
  v_kind "char";
begin
  if not exists (select from portolan.users u where u.name like portolan.like_pattern(username)) then
    if username !~ '[*?]' then
      raise exception 'there is no account "%"', username using errcode = 'PX400';
    end if;
    raise notice 'no account matches "%" yet', username;
  end if;
  if schema !~ '[*?]' and to_regnamespace(quote_ident(schema)) is null then
    raise exception 'there is no schema "%"', schema using errcode = 'PX400';
  end if;

  if exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relname like v_tables and n.nspname like v_schemas
      and portolan.is_team_relation(c.oid))
  then
    return;
  elsif "table" ~ '[*?]' then
    if (schema, "table") <> ('*', '*') then
      raise notice 'no table matches %.% yet', schema, "table";
    end if;
    return;
  end if;
  select c.oid, c.relkind into v_relation, v_kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm', 'f') and c.relname = "table" and n.nspname like v_schemas
    and portolan.is_team_relation(c.oid)
  order by c.oid
  limit 1;
  if not found then
    raise exception 'there is no table "%"%; for future tables, write a glob', "table",
      case when schema <> '*' then format(' in schema "%s"', schema) else '' end using errcode = 'PX400';
  end if;
  perform portolan.refuse_rule_for(v_relation, v_kind);
end
$$;
