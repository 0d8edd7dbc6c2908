-- The reason why the expression of a policy cannot be the filter of a rule, or null. It uses pg_depend, which lists
-- everything that is not PostgreSQL's own, and pg_get_expr, which dumps rely on too: in its text capitals are keywords, and
-- a function without a schema is in pg_catalog, since nothing else is on the search_path. Tried on PostgreSQL 14 to 18.
create or replace function portolan.filter_problem(policy oid) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
  -- without quoted texts, and then without quoted names
  v_text text;
  v_words text;
  v_calls text[];
  v_volatile text;
begin
  select p.polrelid, regexp_replace(pg_get_expr(p.polqual, p.polrelid), '("(?:[^"]|"")*")|''(?:[^'']|'''')*''', '\1', 'g')
  into v_relation, v_text
  from pg_policy p where p.oid = policy;
  v_words := regexp_replace(v_text, '"(?:[^"]|"")*"', '""', 'g');
  v_calls := array(
    select m[2] from regexp_matches(replace(v_text, 'pg_catalog.', ''), '(?<![\w."$])("?)([a-z_][a-z0-9_]*)\1\(', 'g') m);
  select min(p.oid::regprocedure::text) into v_volatile
  from pg_proc p
  where p.provolatile = 'v' and (
    p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any (v_calls)
    or p.oid in (
      select coalesce(o.oprcode::oid, d.refobjid)
      from pg_depend d left join pg_operator o on d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
      where d.classid = 'pg_policy'::regclass and d.objid = policy
        and d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass)));
  return case
    when v_words ~ '\m(SELECT|VALUES)\M' then
      format('has a subquery: it may only use the columns of %s', v_relation)
    when v_words ~ '(?<![\w."])(ctid|[cx]min|[cx]max|tableoid)(?![\w(])' then
      format('names a system column of %s', v_relation)
    when v_words ~ '\m(CURRENT_ROLE|CURRENT_USER|SESSION_USER|SYSTEM_USER|USER)\M'
      or v_calls && '{current_user, session_user, system_user, getpgusername}'
    then 'reads the role, which an account may change: choose accounts by username'
    when v_volatile is not null then format('calls %s, which is volatile', v_volatile)
    when 'current_setting' = any (v_calls) then 'reads a setting, which SQL can change: use {{key}}'
  end;
end
$$;
