-- Makes the events of a table. Raises PX400, PX404, 42501, 55P03 where another session holds a lock.
create or replace function portolan.make_events(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_recorded(relation, 'events are');
  if not portolan.event_comment(relation) then
    raise exception 'the comment of % says "@events off": change the comment', relation using errcode = 'PX400';
  end if;
  insert into portolan.event_tables as t (relation, setting)
  values (relation, true)
  on conflict on constraint event_tables_pkey do update set setting = true;
  begin
    perform portolan.install_events(relation);
  exception
    when lock_not_available then
      perform portolan.refuse_locked(relation, 'share row exclusive', format('%s is in use', relation));
  end;
end
$$;
