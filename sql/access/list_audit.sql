-- The audit of accounts, tokens, rights, methods, settings and tables, latest first. Filters: events with this prefix,
-- by or about an account, from an instant on, numbers lower than `before`. Null: no filter. GET /audit, `portolan
-- audit`.
create or replace function portolan.list_audit(
  event text default null, account text default null, since timestamptz default null, before bigint default null,
  most integer default 100
) returns setof portolan.audit
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the audit
as $$
  select a.*
  from portolan.audit a
  where starts_with(a.event, coalesce(list_audit.event, ''))
    and (list_audit.account is null or lower(list_audit.account) in (a.account, a.details ->> 'by'))
    and (since is null or a.at >= since)
    and (before is null or a.id < before)
  order by a.id desc
  limit most
$$;
