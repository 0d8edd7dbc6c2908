-- Gives the tables of before_shards back what they had. One that Citus knows only now is a new table with the old name.
create or replace function portolan.after_shards(tables jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table record;
begin
  for v_table in
    select t.oid as before, t.name::regclass as now, t.events
    from jsonb_to_recordset(tables) t (oid oid, name text, events boolean)
  loop
    if v_table.now <> v_table.before then
      perform portolan.take_over(v_table.before, v_table.now);
    end if;
    if v_table.events then
      perform portolan.install_events(v_table.now);
    end if;
    update portolan.row_security s
    set wanted = portolan.wanted_protection(s.relation), made = portolan.made_protection(s.relation)
    where s.relation = v_table.now;
  end loop;
  perform set_config('portolan.following', '', true);
end
$$;
