-- Refuses a rule that names a view, a materialized view or a foreign table, with the SQL that helps. Raises PX400.
create or replace function portolan.refuse_rule_for(relation regclass, kind "char") returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tables text := coalesce(
    (select string_agg(distinct t.relation::text, ', ') from portolan.tables_beneath(relation) t), 'its tables');
begin
  if kind = 'm' then
    raise exception 'rules cannot hold for %, which is a materialized view: its owner has read its rows. Revoke its grants (revoke select on % from …) and write the rule for %',
      relation, relation, v_tables using errcode = 'PX400';
  elsif kind = 'v' then
    if exists (
      select from pg_class c cross join pg_options_to_table(c.reloptions) o
      where c.oid = relation and o.option_name = 'security_invoker' and o.option_value::boolean)
    then
      raise exception 'rules hold for tables, and % is a view, which obeys the rules of its tables: write the rule for %',
        relation, v_tables using errcode = 'PX400';
    end if;
    raise exception 'rules hold for tables, and % is a view: write the rule for % and run: %',
      relation, v_tables, portolan.obedient_view(relation) using errcode = 'PX400';
  elsif kind = 'f' then
    raise exception 'rules cannot hold for %, which is a foreign table. Revoke its grants (revoke all on % from …) and offer a view of its visible rows instead',
      relation, relation using errcode = 'PX400';
  end if;
end
$$;
