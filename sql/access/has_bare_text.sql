-- Whether an expression has a text whose type PostgreSQL infers while it parses: anything but '…'::type with a type of
-- PostgreSQL, or a base type of PostGIS.
create or replace function portolan.has_bare_text(expression text) returns boolean
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select
    from (
        select x.kind, lead(x.kind) over w as next_kind, lead(x.name) over w as next, lead(x.name, 2) over w as type,
          lead(x.is_quoted, 2) over w as is_quoted, lead(x.name, 3) over w as after
        from portolan.filter_tokens(expression) x
        window w as (order by x.number)
      ) t
    where t.kind = 's' and (
      t.next_kind is distinct from 'o' or t.next <> '::' or t.after is not distinct from '.'
      or t.type is null
      or (t.is_quoted
          or t.type <> all ('{int,integer,smallint,bigint,real,float,double,decimal,dec,boolean,character,time,timestamp,bit}'))
        and not exists (
          select from pg_type y
          where y.typname = t.type and (
            y.typnamespace = 'pg_catalog'::regnamespace
            or y.typtype = 'b' and y.typnamespace = (select e.extnamespace from pg_extension e where e.extname = 'postgis')))));
end
$$;
