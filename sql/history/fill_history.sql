-- Opens a version for each row of a table that has none, and ends those whose row is gone: when history begins, and when a
-- partition comes or goes with its rows.
create or replace function portolan.fill_history(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set row_security = off -- an error rather than a policy that runs as the owner
  set constraint_exclusion = off
as $$
#variable_conflict use_variable
declare
  v_match text;
  v_columns text;
  v_values text;
begin
  perform portolan.check_twin(relation, history);
  select string_agg(format('h.%1$I = b.%1$I', k), ' and ') into v_match from unnest(portolan.key_columns(relation)) k;
  select
    string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('b.%I', a.attname), ', ' order by a.attnum)
  into v_columns, v_values
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if (select c.reltuples from pg_class c where c.oid = relation) > 1000000 then
    raise warning 'writers of % wait until its rows are copied, about % of them', relation,
      (select c.reltuples::bigint from pg_class c where c.oid = relation);
  end if;
  perform portolan.end_lost_versions(relation, history);
  execute format(
    'insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version) '
    'select %3$s, greatest(now(), m.portolan_to), ''infinity'', pg_current_xact_id(), session_user, '
    '  coalesce(m.portolan_version, 0) + 1 '
    'from %4$s b left join lateral '
    '  (select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1) m on true '
    'where m.portolan_to is distinct from ''infinity''',
    history, v_columns, v_values, relation, v_match);
end
$$;
