-- Switches the events of a table on: from then on what is written to it reaches subscribers. Harmless when they are on.
-- Raises PX400 for what cannot have events or when the comment of the table says otherwise, PX404, and 42501 where the
-- owner of Portolan may not make triggers.
create or replace function portolan.enable_events(relation regclass) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make triggers is the owner's
as $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_events(relation);
  if not portolan.event_comment(relation) then
    raise exception 'the comment of % says "@events off": change the comment', relation using errcode = 'PX400';
  end if;
  insert into portolan.event_tables as t (relation, setting)
  values (relation, true)
  on conflict on constraint event_tables_pkey do update set setting = true;
  perform portolan.install_events(relation);
end
$$;

comment on function portolan.enable_events(regclass) is 'Switches the events of a table on.';

revoke execute on function portolan.enable_events(regclass) from public;
