-- Gives the tables of before_shards back what they had. One that Citus knows only now is a new table with the old name.
create or replace function portolan.after_shards(tables jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table record;
  v_comment record;
begin
  for v_table in
    select t.oid as before, t.name::regclass as now, t.events
    from jsonb_to_recordset(tables) t (oid oid, name text, events boolean)
  loop
    if v_table.now <> v_table.before then
      perform portolan.take_over(v_table.before, v_table.now);
      -- the old one is its shard: comments, which may hide a table or a column, are left there
      for v_comment in
        select d.description, a.attname
        from pg_description d left join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid and a.attnum > 0
        where d.classoid = 'pg_class'::regclass and d.objoid = v_table.before
      loop
        execute format('comment on %s is %L',
          case when v_comment.attname is null then format('table %s', v_table.now)
            else format('column %s.%I', v_table.now, v_comment.attname) end,
          v_comment.description);
      end loop;
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
