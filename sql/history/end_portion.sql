-- Ends the history of a large table in portions; this call does the portion at position. First the triggers are dropped
-- under a short lock, then the open versions are ended, or everything is dropped (position: drop). Returns the next
-- position, null when all is done, and how many versions were ended. Raises 55P03 where another session holds a lock.
create or replace function portolan.end_portion(relation regclass, "position" jsonb, out next jsonb, out rows bigint)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
begin
  rows := 0;
  select v.* into v_table from portolan.versioned_tables v where v.relation = end_portion.relation;
  if v_table.active or ("position" ->> 'drop')::boolean then
    perform portolan.one_at_a_time();
    perform portolan.end_history(relation, ("position" ->> 'drop')::boolean);
    next := case when not ("position" ->> 'drop')::boolean then "position" end;
  elsif v_table.closing is not null then
    select "position" || p.next, p.rows into next, rows from portolan.close_portion(relation, "position") p;
  end if;
end
$$;
