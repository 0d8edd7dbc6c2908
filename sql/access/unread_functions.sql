-- Functions of trusted owners whose calls are unknown, each with the reason; none in a database without authors,
-- because there is no author's code to call. Bodies in SQL are read: those stored parsed by what they depend on, those
-- stored as text by their words (code_in_text). Functions that trustedFunctions names, and those of Portolan or an
-- extension, count as read.
create or replace function portolan.unread_functions() returns table (function oid, reason text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
declare
  v_running constant text[] := portolan.text_runners();
  v_calls text;
  v_schemas text[];
begin
  if not portolan.has_authors() then
    return;
  end if;
  v_calls := (select format(' :funcid (%s) ', string_agg(p.oid::text, '|')) from pg_proc p where p.proname = any (v_running));
  v_schemas := array(
    select n.nspname::text from portolan.authors_schemas() s (schema) join pg_namespace n on n.oid = s.schema);
  return query
  with trusted as materialized (
    select t.role from portolan.trusted_roles() t (role)
  ), named as materialized (
    select f.function from portolan.trusted_functions() f where f.function is not null
  ), parts as materialized (
    select t.object from portolan.tame_objects() t where t.class = 'pg_proc'::regclass
  ), bodies as materialized (
    select p.oid, l.lanname, p.prokind, p.prosqlbody, p.prosrc, (
        select substr(c.setting, length('search_path=') + 1)
        from unnest(p.proconfig) c (setting)
        where starts_with(c.setting, 'search_path=')) as path
    from pg_proc p left join pg_language l on l.oid = p.prolang
    where p.oid >= 16384 and p.pronamespace <> 'portolan'::regnamespace
      and p.proowner in (select t.role from trusted t)
      and not exists (select from parts t where t.object = p.oid)
      and p.oid not in (select n.function from named n)
  )
  select j.oid, j.reason
  from (
    select b.oid,
      case
        when exists (
          select from unnest(string_to_array(b.path, ',')) s (name)
          where btrim(s.name, ' "') = any (v_schemas) or btrim(s.name, ' "') = '$user')
          then 'its search_path has a schema in which others may create'
        when b.prokind = 'a' or b.lanname = 'internal' then null
        when b.lanname = 'sql' and b.prosqlbody is not null then
          case when b.prosqlbody::text ~ v_calls then 'its body runs a text' end
        when b.lanname = 'sql' then
          case
            when position('u&"' in lower(b.prosrc)) > 0 or position('""' in b.prosrc) > 0 then 'its body has escaped names'
            when w.words && v_running then 'its body runs a text'
            when w.words && v_schemas then 'its body names a schema in which others may create'
          end
        else format('its body is in %s, which is not read', b.lanname)
      end as reason
    from bodies b
      left join lateral (
        select array_agg(x.word) as words from portolan.words_of(b.prosrc) x (word)
      ) w on b.lanname = 'sql' and b.prosqlbody is null
  ) j
  where j.reason is not null;
end
$$;
