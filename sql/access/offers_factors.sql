-- Whether every account may have a second factor: the option mfa of the service is not `off`. True where no gateway has
-- recorded the option.
create or replace function portolan.offers_factors() returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.settings
as $$
  select coalesce((select s.value <> '"off"' from portolan.settings s where s.name = 'mfa'), true)
$$;
