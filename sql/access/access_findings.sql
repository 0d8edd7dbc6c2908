-- The reasons why rules do not hold everywhere, and whose code could run as the owner: each finding with the SQL that repairs
-- it.
create or replace function portolan.access_findings() returns table (kind text, finding text, remedy text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the rules
as $$
  with kept (relation) as (
    select v.relation::oid from portolan.versioned_tables v where v.active
    union
    select s.relation::oid from portolan.row_security s
  )
  -- rules that do not hold
  select 'rules', format('the rules for %s do not hold: %s', u.relation, coalesce(
      s.problem, 'its policies are missing; interfaces refuse it until they exist')),
    case
      when s.problem is not null then 'narrow that rule: npx portolan rule list'
      when pg_has_role(current_user, c.relowner, 'usage') then 'npx portolan migrate --repair-roles'
      else format('grant %I to %I;', pg_get_userbyid(c.relowner), current_user)
    end
  from portolan.unprotected_relations() u
    join pg_class c on c.oid = u.relation
    left join portolan.row_security s on s.relation = u.relation
  union all
  -- rules that deny every session
  select 'rules', format('rule %s asks for a second factor, which no account may have: the option mfa is off', r.id),
    format('set mfa to offered, or: npx portolan rule remove %s', r.id)
  from portolan.rules r
  where r.mfa and not portolan.offers_factors()
  union all
  -- views that read tables with restricted rows, with the rights of the view's owner
  select 'views', format('%s shows rows of %s that its readers may not see there', c.oid::regclass, t.tables),
    case c.relkind
      when 'v' then portolan.obedient_view(c.oid)
      else format('revoke select on %s from …;', c.oid::regclass)
    end
  from pg_class c
    cross join lateral (
      select string_agg(b.relation::text, ', ' order by b.relation::text) as tables
      from portolan.tables_beneath(c.oid) b join pg_class k on k.oid = b.relation
      where k.relrowsecurity
    ) t
  where c.relkind in ('v', 'm') and t.tables is not null and portolan.is_team_relation(c.oid)
    and not coalesce('security_invoker=true' = any (c.reloptions) or 'security_invoker=on' = any (c.reloptions)
      or 'security_invoker=1' = any (c.reloptions) or 'security_invoker=yes' = any (c.reloptions), false)
    and exists (
      select from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
      where a.privilege_type = 'SELECT' and a.grantee <> c.relowner
        and (a.grantee = 0 or exists (
          select from portolan.users u join pg_roles r on r.rolname = u.role
          where not u.superuser and pg_has_role(r.oid, a.grantee, 'usage'))))
  union all
  -- a table whose children have rules of their own, although their rows are readable through it
  select distinct 'views', format('%s shows the rows of %s without the rules for that', i.inhparent::regclass, i.inhrelid::regclass),
    format('write the rule for %s too', i.inhparent::regclass)
  from pg_inherits i
  where exists (
    select from portolan.rule_map m
    where m.relation = i.inhrelid::regclass and not exists (
      select from portolan.rule_map p where p.relation = i.inhparent::regclass and p.id = m.id and p.command = m.command))
  union all
  select 'views', format('%s is a foreign table: a rule that means it does not hold', c.oid::regclass),
    format('revoke all on %s from …;', c.oid::regclass)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'f' and portolan.is_team_relation(c.oid)
    and exists (
      select from portolan.rules r
      where n.nspname like portolan.like_pattern(r.schema) and c.relname like portolan.like_pattern(r."table")
        and r.access <> 'allow')
    and exists (
      select from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
      where a.grantee <> c.relowner
        and (a.grantee = 0 or exists (
          select from portolan.users u join pg_roles r on r.rolname = u.role
          where not u.superuser and pg_has_role(r.oid, a.grantee, 'usage'))))
  union all
  select 'policies', s.finding, s.remedy from portolan.sleeping_policies() s
  union all
  select 'event trigger', 'new tables fall under the rules within a second, not at once',
    'as a superuser: select portolan.install_ddl_trigger();'
  where not exists (
    select from pg_event_trigger e where e.evtname = 'portolan_follow_ddl' and e.evtenabled in ('O', 'A'))
  union all
  -- hold_schema, hold_table and hold_type lock rows of the catalogue, which takes a superuser
  select 'names', format('%s may rename %s at the moment in which Portolan names it, and so run code as %s, since only a '
      'superuser can keep such a name', pg_get_userbyid(t.owner), string_agg(t.thing, ', ' order by t.thing), current_user),
    string_agg(format('alter %s owner to %I;', t.thing, current_user), E'\n' order by t.thing)
  from (
    select n.nspowner as owner, format('schema %I', n.nspname) as thing
    from kept k join pg_class c on c.oid = k.relation join pg_namespace n on n.oid = c.relnamespace
    union
    select y.typowner, format('%s %s', case y.typtype when 'd' then 'domain' else 'type' end, y.oid::regtype)
    from kept k
      join pg_attribute a on a.attrelid = k.relation and a.attnum > 0 and not a.attisdropped
      cross join lateral portolan.author_types(a.atttypid) p
      join pg_type y on y.oid = p.oid
    where y.typrelid = 0 or exists (select from pg_class c where c.oid = y.typrelid and c.relkind = 'c')
  ) t
  where not portolan.is_core_owner(t.owner)
    and not exists (select from pg_roles r where r.rolname = current_user and r.rolsuper)
  group by t.owner
  union all
  -- operators that cannot use an index under row security
  select 'leakproof', 'row security keeps indexes on numeric and enum columns from being used',
    string_agg(format('alter function %s leakproof;', f.signature), E'\n' order by f.signature)
  from portolan.leaky_functions() f
  where exists (select from portolan.row_security)
  having count(*) > 0
$$;
