-- Whether codes may be sent to an address: https, or http on the loopback interface (RFC 8252 section 7.3), absolute,
-- without user-info, fragment, or segments that a browser would resolve.
create or replace function portolan.is_redirect_uri(uri text) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    length(uri) <= 2000
    and uri ~ '^(https://([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+|https://\[[0-9A-Fa-f:.]+\]|http://(127\.0\.0\.1|\[::1\]|localhost))(:[0-9]{1,5})?([/?][A-Za-z0-9._~:/?@!$&()*+,;=%''\[\]-]*)?$'
    and split_part(uri, '?', 1) !~* '/(\.|%2e){1,2}(/|$)',
    false)
$$;
