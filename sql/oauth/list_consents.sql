-- The consents of accounts to clients, latest first: one's own, of all accounts for a super user. account: only those
-- of this account. GET /consents, `portolan consent list`. Raises 42501.
create or replace function portolan.list_consents(account text default null) returns table (
  account_name text,
  client_id text,
  client text,
  scopes text[],
  resources text[],
  given_at timestamptz
)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read consents
as $$
declare
  v_own text := portolan.own_account(); -- the account whose consents the caller may see
begin
  return query
    select c.user_name, c.client_id, l.name, c.scopes, c.resources, c.given_at
    from portolan.consents c join portolan.clients l on l.id = c.client_id
    where c.user_name = coalesce(v_own, c.user_name) and c.user_name = coalesce(lower(list_consents.account), c.user_name)
    order by c.given_at desc, c.client_id;
end
$$;
