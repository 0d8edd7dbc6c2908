-- A glob (* any text, ? any character) as a pattern of LIKE, for compiling rules.
create or replace function portolan.like_pattern(glob text) returns text
  language sql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select replace(replace(regexp_replace(glob, '([\\%_])', '\\\1', 'g'), '*', '%'), '?', '_')
$$;
