-- The installed extensions, by name, with the version to which `alter extension … update` would bring each; null where it
-- has that version, or its files are gone. GET /extensions, `portolan extension list`.
create or replace function portolan.list_extensions()
  returns table (name text, version text, newer_version text, schema text, relocatable boolean, description text)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select
    e.extname, e.extversion, nullif(a.default_version, e.extversion), n.nspname, e.extrelocatable,
    coalesce(obj_description(e.oid, 'pg_extension'), a.comment)
  from pg_extension e
    join pg_namespace n on n.oid = e.extnamespace
    left join pg_available_extensions a on a.name = e.extname
  order by e.extname
$$;
