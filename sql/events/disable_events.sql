-- Switches the events of a table off, also where the configuration has them on for every table; subscribers are told. Does
-- nothing when they are off. Raises PX400 when the comment of the table says otherwise, PX404, and 42501 where the owner of
-- Portolan does not own the table.
create or replace function portolan.disable_events(relation regclass) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may drop triggers
as $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if portolan.event_comment(relation) then
    raise exception 'the comment of % says "@events on": change the comment', relation using errcode = 'PX400';
  end if;
  insert into portolan.event_tables as t (relation, setting)
  values (relation, false)
  on conflict on constraint event_tables_pkey do update set setting = false;
  perform portolan.remove_events(relation);
end
$$;
