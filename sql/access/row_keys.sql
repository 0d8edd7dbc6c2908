-- The members of a caller's properties that decide which rows of a table it sees, besides the rule that applies and its role
-- in the workflow: those that the filters of limit rules name. Null where more decides: a policy of the team other than `true` for
-- everybody, or a filter with a function whose value depends on more than its arguments, such as the clock.
create or replace function portolan.row_keys(relation oid) returns text[]
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the rules
as $$
declare
  v_text text := (
    select string_agg(
      regexp_replace(pg_get_expr(p.polqual, p.polrelid), '("(?:[^"]|"")*")|''(?:[^'']|'''')*''', '\1', 'g'), ' ')
    from pg_policy p
    where p.polrelid = relation and p.polcmd in ('r', '*') and p.polname like 'portolan\_rules\_%');
begin
  if portolan.choosing_policy(relation) is not null
    or regexp_replace(v_text, '"(?:[^"]|"")*"', '""', 'g')
      ~ '\m(CURRENT_DATE|CURRENT_TIME|CURRENT_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP|CURRENT_CATALOG|CURRENT_SCHEMA)\M'
    or exists (
      select from regexp_matches(v_text, '(?<![\w"$])("?)([a-z_][a-z0-9_]*)\1\(', 'g') m
        join pg_proc f on f.proname = m[2]
      where f.provolatile <> 'i' and f.pronamespace <> 'portolan'::regnamespace)
  then
    return null;
  end if;
  return array(
    select distinct k.key
    from portolan.rule_map m
      join portolan.rules r on r.id = m.id
      cross join portolan.read_filter(r.filter) f
      cross join unnest(f.keys) k (key)
    where m.relation = row_keys.relation and m.command = 'r' and m.access = 'l'
    order by k.key);
end
$$;
