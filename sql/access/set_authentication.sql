-- Sets whether a table or view can be read without an account: None and Write let anonymous read it, Read/write does
-- not. Raises PX400, PX404, PX409 where the rules for it do not hold or it has no room for another grant, 42501.
create or replace function portolan.set_authentication(relation regclass, level text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to grant is the owner's
as $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if level is null or level not in ('None', 'Write', 'Read/write') then
    raise exception 'an authentication level must be None, Write or Read/write' using errcode = 'PX400';
  end if;
  if level <> 'Read/write' then
    perform portolan.close_relation(relation);
  end if;
  perform portolan.apply_authentication(relation, level);
  perform portolan.refresh_mirror(relation);
  insert into portolan.authentication as a (relation, level)
  values (relation, level)
  on conflict on constraint authentication_pkey do update set level = excluded.level;
end
$$;
