-- The policies for reading of a table that hold a value of a type that may run an author's code when it is read
-- (code_in_value). PostgreSQL reads such a value when the policy is written. The history has a policy in its place that lets
-- nothing through.
create or replace function portolan.policies_with_code(relation regclass) returns table (policy oid, name name, type regtype)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select distinct on (p.oid) p.oid, p.polname, d.refobjid::regtype
  from pg_policy p
    join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_type'::regclass
  where p.polrelid = relation and p.polcmd in ('r', '*') and portolan.code_in_value(d.refobjid)
  order by p.oid, d.refobjid
$$;
