-- The parts of schema portolan, each with its state, and the statement that makes it again where there is one. writer:
-- states of different writers cannot be compared. Without what belongs to an extension, and without the trigger functions of
-- single tables, whose names have a number.
create or replace function portolan.own_parts() returns table (part text, state text, statement text, writer text)
  language sql stable
  set search_path = pg_catalog, pg_temp -- names come out qualified
as $$
  with tables as materialized (
    select c.oid, c.oid::regclass as name, c.relkind, c.relrowsecurity, c.relpersistence
    from pg_class c
    where c.relnamespace = 'portolan'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), parts (part, state, statement) as (
    select format('function %s', p.oid::regprocedure),
      md5(concat_ws(' ', p.prosrc, l.lanname, p.prosecdef, p.provolatile, p.proisstrict, p.proretset, p.prorettype::regtype,
        p.proconfig, p.proargnames, pg_get_expr(p.proargdefaults, 0))),
      null
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'portolan'::regnamespace and p.proname !~ '^tg_[0-9]+__'
      and not exists (
        select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    -- without the names of columns inside, of which a dump has more
    select format('view %s', t.name),
      md5(concat(regexp_replace(pg_get_viewdef(t.oid), ' AS ("[^"]+"|[[:alnum:]_]+)', '', 'g'), (
        select string_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
        from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped))),
      null
    from tables t
    where t.relkind in ('v', 'm')
    union all
    select format('table %s', t.name), format('%s, row security %s', t.relpersistence, t.relrowsecurity), null
    from tables t
    where t.relkind in ('r', 'p')
    union all
    select format('column %s.%I', t.name, a.attname),
      concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid)),
      format('alter table %s add column %I %s', t.name, a.attname, format_type(a.atttypid, a.atttypmod))
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') || case when a.attnotnull then ' not null' else '' end
    from tables t
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    where t.relkind in ('r', 'p')
    union all
    select format('trigger %I on %s', g.tgname, t.name),
      format('%s, %s', case when g.tgenabled in ('O', 'A') then 'on' else 'off' end, pg_get_triggerdef(g.oid)),
      pg_get_triggerdef(g.oid)
    from tables t join pg_trigger g on g.tgrelid = t.oid
    where not g.tgisinternal
    union all
    select format('policy %I on %s', p.polname, t.name),
      concat_ws(' ', p.polcmd, p.polpermissive, w.conditions),
      format('create policy %I on %s as %s for %s%s', p.polname, t.name,
        case when p.polpermissive then 'permissive' else 'restrictive' end,
        case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
        w.conditions)
    from tables t join pg_policy p on p.polrelid = t.oid
      cross join lateral (
        select concat(
          ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
          ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') as conditions
      ) w
    union all
    select format('constraint %I on %s', c.conname, t.name), pg_get_constraintdef(c.oid),
      format('alter table %s add constraint %I %s', t.name, c.conname, pg_get_constraintdef(c.oid))
    from tables t join pg_constraint c on c.conrelid = t.oid
    where c.contype in ('p', 'u', 'x', 'f', 'c')
    union all
    select format('index %s', x.indexrelid::regclass), format('%s, %s', x.indisvalid, pg_get_indexdef(x.indexrelid)),
      pg_get_indexdef(x.indexrelid)
    from tables t join pg_index x on x.indrelid = t.oid
    where not exists (select from pg_constraint c where c.conindid = x.indexrelid)
  )
  select p.part, p.state, p.statement, (
      select format('%s %s', current_setting('server_version_num')::integer / 10000, md5(f.prosrc))
      from pg_proc f
      where f.oid = 'portolan.own_parts()'::regprocedure)
  from parts p
$$;
