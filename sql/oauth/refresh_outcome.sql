-- The outcome of a refresh with a token of this family now, which rotate_refresh_token carries out: rotated, repeated,
-- or reused, which ends the family. Null where there is no such family.
create or replace function portolan.refresh_outcome(family uuid, token uuid) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read refresh tokens
as $$
  select case
      when t.id is not null and t.rotated_at is null then 'rotated'
      when t.rotated_at > clock_timestamp() - interval '30 seconds' then 'repeated'
      -- FAPI 2.0 Security Profile, 5.3.2.1: until the next one is used
      when t.rotated_at is not null and portolan.is_fapi2_client(portolan.existing_client(f.client_id))
        and not exists (select from portolan.refresh_tokens n where n.family = f.id and n.rotated_at > t.rotated_at)
        then 'repeated'
      when (select c.refresh_reuse from portolan.clients c where c.id = f.client_id) = 'allow' then 'rotated'
      else 'reused'
    end
  from portolan.token_families f
    left join portolan.refresh_tokens t on t.id = refresh_outcome.token and t.family = f.id
  where f.id = refresh_outcome.family
$$;
