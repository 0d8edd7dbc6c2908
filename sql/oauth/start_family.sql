-- Begins a family of tokens: the authorization that an account gave a client. `refresh`: the id of its first refresh token,
-- or null; `asked`: what the client asked for beside the scope.
create or replace function portolan.start_family(
  family uuid,
  refresh uuid,
  client_id text,
  user_name text,
  scope text,
  token_version bigint,
  access_seconds integer,
  refresh_seconds integer,
  asked jsonb default '{}'
) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write token families
as $$
  insert into portolan.token_families (id, client_id, user_name, scope, token_version, asked, expires_at)
  values (
    family, client_id, user_name, scope, token_version, coalesce(asked, '{}'),
    clock_timestamp() + make_interval(secs => greatest(access_seconds, case when refresh is null then 0 else refresh_seconds end)));
  insert into portolan.refresh_tokens (id, family) select refresh, family where refresh is not null
$$;
