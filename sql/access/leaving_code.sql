-- Expressions in policies, views, rules, defaults, checks and conditions of triggers that call a function of PostgreSQL
-- or of an extension which leaves something on the session, or runs a text that may: a setting, a lock, a connection.
-- A volatile function of an extension may leave anything, unless it is known to be harmless.
-- They count as code of a trusted role, after which the session is cleaned, although no author's function is called.
-- pg_depend does not list functions that initdb made, so the text of the expressions is read. `relation`: the relation
-- whose writes run it.
create or replace function portolan.leaving_code() returns table (class oid, object oid, relation oid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
declare
  v_leaving constant text[] := portolan.text_runners() || '{
    setseed, pg_advisory_lock, pg_advisory_lock_shared, pg_try_advisory_lock, pg_try_advisory_lock_shared,
    dblink_connect, dblink_connect_u}';
  v_calls constant text := (
    select format(' :funcid (%s) ', string_agg(p.oid::text, '|'))
    from pg_proc p
    where p.proname = any (v_leaving)
      or p.provolatile = 'v' and p.proname <> all (portolan.harmless_of_extensions())
        and p.oid in (
          select d.objid from pg_depend d
          where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'));
begin
  return query
  with own as materialized (
    -- long views, whose texts would take half of the time
    select c.oid from pg_class c where c.relnamespace = 'portolan'::regnamespace
  )
  select 'pg_policy'::regclass::oid, p.oid, null::oid
  from pg_policy p
  where concat_ws(' ', p.polqual::text, p.polwithcheck::text) ~ v_calls
  union all
  select 'pg_rewrite'::regclass, w.oid, null
  from pg_rewrite w
  where w.oid >= 16384 and w.ev_class not in (select o.oid from own o) and concat_ws(' ', w.ev_qual::text, w.ev_action::text) ~ v_calls
  union all
  select 'pg_attrdef'::regclass, d.oid, d.adrelid
  from pg_attrdef d
  where d.adrelid not in (select o.oid from own o) and d.adbin::text ~ v_calls
  union all
  select 'pg_constraint'::regclass, c.oid, nullif(c.conrelid, 0)
  from pg_constraint c
  where c.oid >= 16384 and c.connamespace <> 'portolan'::regnamespace and c.conbin::text ~ v_calls
  union all
  select 'pg_trigger'::regclass, t.oid, t.tgrelid
  from pg_trigger t
  where t.tgqual::text ~ v_calls;
end
$$;
