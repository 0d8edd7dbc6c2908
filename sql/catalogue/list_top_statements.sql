-- The statements on which this database has spent the most time since pg_stat_statements was reset. That extension
-- keeps them for all accounts together, with parameters in place of values. `share`: the part of the time of all
-- statements, from 0 to 1. GET /statements/top, `portolan statement top`. Raises PX404 where the extension is missing,
-- 42501 where the owner may not see the statements of others.
create or replace function portolan.list_top_statements(most integer default 50)
  returns table (
    statement text, calls bigint, total_ms double precision, mean_ms double precision, max_ms double precision, rows bigint,
    blocks_read bigint, share double precision)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may see what others run
as $$
declare
  v_view text;
  v_remedy constant text := 'shared_preload_libraries = ''pg_stat_statements'' in postgresql.conf, a restart, and create extension pg_stat_statements';
begin
  if not pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
    raise exception 'the owner of Portolan may not see the statements of others: grant pg_read_all_stats, pg_signal_backend to %',
      quote_ident(current_user) using errcode = '42501';
  elsif most is null or most not between 1 and 1000 then
    raise exception 'most: must be from 1 to 1000' using errcode = 'PX400';
  end if;
  -- the extension's own view, not one of that name that somebody else has made
  select format('%I.%I', n.nspname, c.relname) into v_view
  from pg_extension e
    join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid and d.deptype = 'e'
    join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid and c.relname = 'pg_stat_statements'
    join pg_namespace n on n.oid = c.relnamespace
  where e.extname = 'pg_stat_statements';
  if v_view is null then
    raise exception 'PostgreSQL does not count the statements of this database: that needs %', v_remedy using errcode = 'PX404';
  end if;
  return query execute format(
    $sql$
      select min(s.query), sum(s.calls)::bigint, sum(s.total_exec_time), sum(s.total_exec_time) / greatest(sum(s.calls), 1)::float8,
        max(s.max_exec_time), sum(s.rows)::bigint, sum(s.shared_blks_read)::bigint,
        coalesce(sum(s.total_exec_time) / nullif(sum(sum(s.total_exec_time)) over (), 0), 0)
      from %s s
      where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
      group by s.queryid
      order by 3 desc, 1
      limit $1
    $sql$, v_view) using most;
exception
  when object_not_in_prerequisite_state then -- the extension is created, but its library is not loaded
    raise exception 'PostgreSQL does not count the statements of this database: that needs %', v_remedy using errcode = 'PX404';
end
$$;
