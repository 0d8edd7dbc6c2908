-- The site (/48) of a network of IPv6 as the gateway writes networks (`2001:db8:1:2::/64`), and null for other callers.
-- The holder of a site can choose among its networks, so limits of a network also apply to its site, multiplied.
create or replace function portolan.site_of(network text) returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select substring(network from '^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::/64$') || '::/48';
$$;
