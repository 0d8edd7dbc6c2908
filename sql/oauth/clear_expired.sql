-- Deletes expired rows, and ends expired sessions. Every gateway process calls it once a minute; one at a time works,
-- the others do nothing. A key is deleted when the longest-lived token that it may have signed has expired, after a
-- month at least.
create or replace function portolan.clear_expired(audit_days integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write these tables
as $$
begin
  perform from portolan.settings s where s.name = 'own_sql_secret' for update skip locked;
  if not found then
    return;
  end if;
  -- before the families, as in every other end of a session
  perform portolan.sign_out(s.hash) from portolan.sessions s where s.expires_at < now();
  delete from portolan.authorization_codes c where c.family is null and c.expires_at < now() - interval '1 minute';
  delete from portolan.device_requests d where d.family is null and d.expires_at < now() - interval '1 hour';
  delete from portolan.refresh_tokens t
  using portolan.token_families f, portolan.clients c
  where t.rotated_at < now() - interval '1 minute' and f.id = t.family and c.id = f.client_id
    -- the last token of a client of FAPI 2.0 is valid until the next one is used
    and (not portolan.is_fapi2_client(c)
      or exists (select from portolan.refresh_tokens l where l.family = t.family and l.rotated_at > t.rotated_at));
  delete from portolan.token_families f where f.expires_at < now() - interval '1 minute';
  delete from portolan.registration_tokens t where t.expires_at < now();
  -- clients that nobody here has registered: those that were never used for a day, others for 90 days. The row of a
  -- document is made again without members that an administrator has imposed on the client, such as that it is
  -- disabled.
  delete from portolan.clients c
  where (c.origin = 'document' and c.imposed = '{}' or c.registered_from is not null) and c.created_at < now() - interval '1 day'
    and not exists (
      select from portolan.client_uses u where u.client_id = c.id and u.used_at > now() - interval '90 days')
    and not exists (select from portolan.token_families f where f.client_id = c.id);
  delete from portolan.used_ids i where i.expires_at < now();
  delete from portolan.pushed_requests p where p.expires_at < now();
  delete from portolan.map_sessions m where m.expires_at < now();
  delete from portolan.sign_ups u where u.expires_at < now();
  delete from portolan.sign_ins w where w.expires_at < now();
  delete from portolan.logouts o where o.next_at < now() - interval '1 day';
  delete from portolan.one_time_links l where l.expires_at < now();
  delete from portolan.lockouts l where l.last_failure_at < now() - interval '1 hour' and l.locked_until < now();
  delete from portolan.known_addresses k where k.signed_in_at < now() - interval '31 days';
  delete from portolan.request_minutes m where m.minute < now() - interval '24 hours';
  delete from portolan.requests r
  using (select max(l.number) as number from portolan.requests l) latest
  where r.at < now() - interval '24 hours'
    or r.number <= latest.number - case when r.error_id is null then 100000 else 1000000 end;
  delete from portolan.agents a where a.last_at < now() - interval '31 days' or a.expires_at < now() - interval '1 day';
  delete from portolan.jobs j
  where j.updated < now() - interval '31 days' and (j.state = 'done' and j.kind <> 'tiles' or j.kind in ('import', 'download') and j.state in ('failed', 'stopped'));
  delete from portolan.downloads d where d.expires < now();
  -- of dropped tables
  delete from portolan.row_comments c
  where c.relation in (
    with recursive commented (relation) as (
      select min(f.relation::oid) from portolan.row_comments f
      union all
      select (select min(n.relation::oid) from portolan.row_comments n where n.relation::oid > p.relation)
      from commented p where p.relation is not null
    )
    select p.relation from commented p where not exists (select from pg_class r where r.oid = p.relation));
  delete from portolan.audit a where a.at < now() - make_interval(days => audit_days);
  if exists (select from portolan.signing_keys k where k.retired_at < now() - interval '30 days') then
    delete from portolan.signing_keys k
    where k.retired_at < now() - greatest(
      interval '30 days',
      make_interval(secs => (
        select max(greatest(c.refresh_token_lifetime_seconds, c.access_token_lifetime_seconds)) from portolan.clients c)));
  end if;
end
$$;
