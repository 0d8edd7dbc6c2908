-- A value of a composite key as it is written in the text of the key: percent-encoded except for unreserved characters (RFC
-- 3986 section 2.3).
create or replace function portolan.encode_key(value text) returns text
  language sql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(string_agg(
    case
      when c ~ '^[A-Za-z0-9._~-]$' then c
      else (select string_agg('%' || upper(encode(substr(b, i, 1), 'hex')), '' order by i)
            from convert_to(c, 'UTF8') b, generate_series(1, octet_length(b)) i)
    end, '' order by place), '')
  from regexp_split_to_table(value, '') with ordinality s (c, place)
$$;
