-- The graph of code: each thing that can hold or reach code, with a thing that runs where it is used. A thing is a row of a
-- catalogue, by `class` and `object`. A relation is several things: reading it is pg_class, writing it 0; what its children
-- inherit is 1, for writers 2; the types of its columns are 3. No edge starts at a thing of PostgreSQL, of Portolan or,
-- under a trusted owner, of an extension. code_reach and code_owners both use it.
create or replace function portolan.code_edges() returns table (source_class oid, source oid, class oid, object oid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
begin
  return query
  with parts as materialized (
    -- things of an extension, and things that exist since initdb, run no code of others. `not in` looks them up by a
    -- hash that needs no estimate, while the planner would loop through all of them for `not exists`
    select * from portolan.tame_objects()
  ), relations as materialized (
    select c.oid, c.relkind, c.reltype
    from pg_class c
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.oid >= 16384 and c.relnamespace <> 'portolan'::regnamespace
  ), uses as materialized (
    -- expressions of all kinds, types of columns and arguments, functions of types, operators and aggregates
    select d.classid, d.objid, d.objsubid, d.refclassid, d.refobjid
    from pg_depend d
    where d.refobjid >= 16384 and d.deptype <> 'e'
      and d.classid in (
        'pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass, 'pg_attrdef'::regclass,
        'pg_constraint'::regclass, 'pg_rewrite'::regclass, 'pg_trigger'::regclass, 'pg_policy'::regclass,
        'pg_statistic_ext'::regclass, 'pg_cast'::regclass, 'pg_foreign_server'::regclass,
        'pg_foreign_data_wrapper'::regclass)
      and (d.refclassid in (
          'pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass,
          'pg_language'::regclass, 'pg_foreign_server'::regclass, 'pg_foreign_data_wrapper'::regclass)
        or d.refclassid = 'pg_class'::regclass
          and d.classid in ('pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_proc'::regclass))
      and not (d.classid = 'pg_cast'::regclass and d.refclassid <> 'pg_proc'::regclass)
      and (d.classid, d.objid) not in (select t.class, t.object from parts t)
      and (d.refclassid, d.refobjid) not in (select t.class, t.object from parts t)
  ), of_types as materialized (
    -- a cast of an author's type runs only if that type is reached, and then the type counts already
    select x.type, 'pg_cast'::regclass::oid as class, c.oid as object
    from pg_cast c
      cross join lateral (values (c.castsource, c.casttarget), (c.casttarget, c.castsource)) x (type, other)
      join pg_type o on o.oid = x.other
    where c.castfunc >= 16384 and o.typowner in (select r.role from portolan.trusted_roles() r (role))
      and c.castfunc not in (select t.object from parts t where t.class = 'pg_proc'::regclass)
    union
    select x.type, 'pg_operator'::regclass, o.oid
    from pg_operator o cross join lateral (values (o.oprleft), (o.oprright)) x (type)
    where o.oid >= 16384 and x.type <> 0 and o.oprnamespace not in (select s.schema from portolan.authors_schemas() s (schema))
      and o.oid not in (select t.object from parts t where t.class = 'pg_operator'::regclass)
    union
    select o.opcintype, 'pg_opclass'::regclass, o.oid
    from pg_opclass o
    where o.oid >= 16384 and o.oid not in (select t.object from parts t where t.class = 'pg_opclass'::regclass)
    union
    select n.contypid, 'pg_constraint'::regclass, n.oid from pg_constraint n where n.contypid <> 0
    union
    select c.reltype, 3::oid, c.oid from pg_class c where c.reltype >= 16384 and c.relkind in ('r', 'p', 'v', 'm', 'f', 'c')
  ), inherited as materialized (
    select i.inhrelid as child, i.inhparent as parent
    from pg_inherits i join relations r on r.oid = i.inhparent
  )
  select u.classid, u.objid, u.refclassid, u.refobjid from uses u where u.refclassid <> 'pg_class'::regclass
  union all
  select 3::oid, u.objid, u.refclassid, u.refobjid
  from uses u
  where u.classid = 'pg_class'::regclass and u.objsubid > 0 and u.refclassid = 'pg_type'::regclass
  union all
  -- relations in views, rules, policies and bodies that are stored parsed
  select u.classid, u.objid,
    case
      when w.ev_type <> '1' or p.provolatile = 'v' then 0::oid
      else 'pg_class'::regclass
    end, u.refobjid
  from uses u
    join relations r on r.oid = u.refobjid
    left join pg_rewrite w on u.classid = 'pg_rewrite'::regclass and w.oid = u.objid
    left join pg_proc p on u.classid = 'pg_proc'::regclass and p.oid = u.objid
  where u.refclassid = 'pg_class'::regclass and not coalesce(w.ev_type = '1' and w.ev_class = u.refobjid, false)
  union all
  select 'pg_type'::regclass, o.type, o.class, o.object from of_types o
  union all
  -- types of PostgreSQL and of extensions to which an author has added something
  select x.class, a.attrelid, 'pg_type'::regclass, a.atttypid
  from pg_attribute a
    join (select distinct o.type from of_types o where o.class in ('pg_cast'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass)) h
      on h.type = a.atttypid
    cross join (values ('pg_class'::regclass::oid), (3::oid)) x (class)
  where a.attnum > 0 and a.attrelid >= 16384
    and (a.atttypid < 16384 or exists (select from parts t where t.class = 'pg_type'::regclass and t.object = a.atttypid))
  union all
  select 'pg_opclass'::regclass, o.oid, 'pg_proc'::regclass, m.amproc::oid
  from pg_opclass o join pg_amproc m on m.amprocfamily = o.opcfamily
  where m.amproc::oid >= 16384
    and m.amproc::oid not in (select t.object from parts t where t.class = 'pg_proc'::regclass)
  union all
  select 'pg_opclass'::regclass, o.oid, 'pg_operator'::regclass, m.amopopr
  from pg_opclass o join pg_amop m on m.amopfamily = o.opcfamily
  where m.amopopr >= 16384
    and m.amopopr not in (select t.object from parts t where t.class = 'pg_operator'::regclass)
  union all
  select 0::oid, r.oid, 'pg_class'::regclass, r.oid from relations r
  union all
  -- the parts of relations; a materialized view's query runs when it is refreshed
  select case when w.ev_type = '1' then 'pg_class'::regclass else 0::oid end, w.ev_class, 'pg_rewrite'::regclass, w.oid
  from pg_rewrite w join relations r on r.oid = w.ev_class
  where r.relkind <> 'm'
  union all
  -- a write to a simple view writes the relations beneath
  select 0::oid, w.ev_class, 0::oid, u.refobjid
  from pg_rewrite w
    join relations v on v.oid = w.ev_class and v.relkind = 'v'
    join uses u on u.classid = 'pg_rewrite'::regclass and u.objid = w.oid and u.refclassid = 'pg_class'::regclass
    join relations r on r.oid = u.refobjid and r.oid <> v.oid
  where w.ev_type = '1'
  union all
  select case when p.polcmd in ('*', 'r') then 'pg_class'::regclass else 0::oid end, p.polrelid, 'pg_policy'::regclass, p.oid
  from pg_policy p
  union all
  select case when a.attgenerated = 'v' then 'pg_class'::regclass else 0::oid end, d.adrelid, 'pg_attrdef'::regclass, d.oid
  from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    join uses u on u.classid = 'pg_attrdef'::regclass and u.objid = d.oid
  union all
  -- PostgreSQL evaluates checks, and expressions of indexes and statistics, when it plans a read
  select case when n.contype = 'f' then 0::oid else 'pg_class'::regclass end, n.conrelid, 'pg_constraint'::regclass, n.oid
  from pg_constraint n join relations r on r.oid = n.conrelid
    join uses u on u.classid = 'pg_constraint'::regclass and u.objid = n.oid
  union all
  select 'pg_class'::regclass, i.indrelid, 'pg_class'::regclass, i.indexrelid
  from pg_index i join uses u on u.classid = 'pg_class'::regclass and u.objid = i.indexrelid
  union all
  select 'pg_class'::regclass, s.stxrelid, 'pg_statistic_ext'::regclass, s.oid from pg_statistic_ext s
  union all
  select 0::oid, t.tgrelid, 'pg_trigger'::regclass, t.oid
  from pg_trigger t join relations r on r.oid = t.tgrelid
  where t.tgfoid >= 16384
  union all
  -- a foreign key reads the referenced table; the action from there reads or writes
  select 0::oid, n.conrelid, x.class, x.object
  from pg_constraint n
    cross join lateral (values ('pg_class'::regclass::oid, n.confrelid), ('pg_constraint'::regclass, n.oid)) x (class, object)
  where n.contype = 'f'
  union all
  select 0::oid, n.confrelid, x.class, x.object
  from pg_constraint n
    cross join lateral (values
      (case when n.confupdtype in ('a', 'r') and n.confdeltype in ('a', 'r') then 'pg_class'::regclass else 0::oid end, n.conrelid),
      ('pg_constraint'::regclass, n.oid)) x (class, object)
  where n.contype = 'f'
  union all
  select x.source_class, x.source, x.class, x.object
  from inherited i
    cross join lateral (values
      ('pg_class'::regclass::oid, i.parent, 'pg_class'::regclass::oid, i.child), (0::oid, i.parent, 0::oid, i.child),
      ('pg_class'::regclass, i.child, 1::oid, i.parent), (0::oid, i.child, 2::oid, i.parent),
      (1::oid, i.child, 1::oid, i.parent), (2::oid, i.child, 2::oid, i.parent)) x (source_class, source, class, object)
  union all
  -- keys of partitions
  select 1::oid, u.objid, u.refclassid, u.refobjid
  from uses u join pg_partitioned_table p on p.partrelid = u.objid
  where u.classid = 'pg_class'::regclass and u.objsubid = 0 and u.refclassid <> 'pg_class'::regclass
  union all
  select 'pg_proc'::regclass, t.function, t.class, t.object from portolan.code_in_text() t;
end
$$;
