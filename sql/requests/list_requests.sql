-- Requests of the last 24 hours, latest first, filtered by id (X-Request-Id), status (404, 5xx), account, errorId, earliest
-- and latest instant, least duration in ms, numbers lower than `before`, code (FORBIDDEN), door (graphql, rest, sql, methods, ogc,
-- ows, mcp, oauth, socket, pages), relation, and client of the token. With a minus before it, a door or a client is left out:
-- '-portolan-console'. Null: no filter. operation: the GraphQL operation or the stored method; code,
-- relation, error_id and error: the failure, and where it happened. GET /requests, `portolan requests`. Raises PX400.
create or replace function portolan.list_requests(
  id text default null, status text default null, account text default null, error_id text default null,
  since timestamptz default null, least_ms real default null, before bigint default null, most integer default 100,
  code text default null, door text default null, relation text default null, until timestamptz default null,
  client text default null
) returns setof portolan.requests
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
begin
  if status !~ '^[1-5](\d\d|xx)$' then
    raise exception 'a status must be a number such as 404, or a class such as 5xx' using errcode = 'PX400';
  end if;
  return query
    select r.*
    from portolan.requests r
    where (list_requests.id is null or r.id = list_requests.id)
      and (list_requests.error_id is null or r.error_id = list_requests.error_id)
      and (list_requests.code is null or r.code = upper(list_requests.code))
      and (list_requests.door is null
        or case when list_requests.door like '-%' then '-' || r.door <> lower(list_requests.door) else r.door = lower(list_requests.door) end)
      and (list_requests.client is null
        or case when list_requests.client like '-%' then '-' || r.client is distinct from list_requests.client
          else r.client = list_requests.client end)
      and (list_requests.relation is null or list_requests.relation in (r.relation, substr(r.relation, strpos(r.relation, '.') + 1)))
      and (until is null or r.at < until)
      and (list_requests.account is null or r.account = lower(list_requests.account))
      and (list_requests.status is null
        or r.status between replace(list_requests.status, 'x', '0')::integer and replace(list_requests.status, 'x', '9')::integer)
      and (since is null or r.at >= since)
      and (least_ms is null or r.ms >= least_ms)
      and (before is null or r.number < before)
    order by r.number desc
    limit most;
end
$$;

revoke execute on function portolan.list_requests(
  text, text, text, text, timestamptz, real, bigint, integer, text, text, text, timestamptz, text) from public;

drop function if exists portolan.list_requests(text, text, text, text, timestamptz, real, bigint, integer, text);
drop function if exists portolan.list_requests(
  text, text, text, text, timestamptz, real, bigint, integer, text, text, text, timestamptz);
