-- The session settings that change the text of a table's values, by name, sorted. A composite type may get other attributes
-- without any DDL on the table, and the settings that a type of an extension reads are unknown: for both, all settings
-- count. regclass and similar types are written with or without a schema, depending on search_path.
create or replace function portolan.event_settings(relation oid) returns text[]
  language plpgsql stable -- not sql, which would plan it at each call, for each table that has events
  set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    with recursive wanted (oid) as (
      select a.atttypid from pg_attribute a where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      union
      select p.part
      from wanted w
        join pg_type t on t.oid = w.oid
        cross join lateral (
          select t.typelem as part where t.typelem <> 0
          union all
          select t.typbasetype where t.typtype = 'd'
          union all
          select r.rngsubtype from pg_range r where t.oid in (r.rngtypid, r.rngmultitypid)
          union all
          select a.atttypid from pg_attribute a
          where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
        ) p
    )
    select distinct s.name
    from wanted w
      join pg_type t on t.oid = w.oid
      cross join unnest(case
        when t.typtype = 'c' then '{DateStyle,TimeZone,IntervalStyle,extra_float_digits,bytea_output}'::text[]
        when t.typtype <> 'b' or t.typcategory = 'A' then '{}' -- what they are made of decides
        when t.typnamespace = 'pg_catalog'::regnamespace then
          case
            when t.typname = 'timestamptz' then '{DateStyle,TimeZone}'::text[]
            when t.typname in ('date', 'timestamp', 'timetz') then '{DateStyle}'
            when t.typname = 'interval' then '{IntervalStyle}'
            when t.typname in ('float4', 'float8', 'point', 'lseg', 'line', 'box', 'path', 'polygon', 'circle')
              then '{extra_float_digits}'
            when t.typname = 'bytea' then '{bytea_output}'
            when t.typname like 'reg%' then '{search_path}'
            else '{}'
          end
        when t.typname in ('geometry', 'geography', 'citext', 'hstore', 'ltree') then '{}'
        else '{DateStyle,TimeZone,IntervalStyle,extra_float_digits,bytea_output}'
      end) s (name)
    order by s.name);
end
$$;
