-- A text that changes with everything that code_reach and authors_schemas depend on: owners, rights, definitions and
-- the lists of trusted roles and functions. Adding or removing an account does not change it. It uses the transactions
-- that wrote the rows of the catalogue, without temporary objects; an update in place, as by ANALYZE, does not count.
create or replace function portolan.code_stamp() returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off
as $$
begin
  return (
    with shown as materialized (
      select n.oid from pg_namespace n where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'portolan')
    )
    select md5(concat_ws(
      ' ',
      (
        select bit_xor(hash_record_extended((c.oid, c.xmin), 0))
        from pg_class c
        where c.relnamespace in (select s.oid from shown s) and c.relpersistence <> 't' and c.relkind <> 'S'
      ),
      (
        select bit_xor(hash_record_extended((a.attrelid, a.attnum, a.atttypid, a.xmin), 0))
        from pg_attribute a
        where a.attrelid >= 16384 and (a.atttypid >= 16384 or a.attacl is not null)
      ),
      (
        select bit_xor(hash_record_extended((p.oid, p.xmin), 1))
        from pg_proc p
        where (p.oid >= 16384 or p.proacl is not null) and p.pronamespace <> 'portolan'::regnamespace
      ),
      (select bit_xor(hash_record_extended((t.oid, t.xmin), 2)) from pg_type t where t.oid >= 16384 and t.typtype <> 'c'),
      (
        select bit_xor(hash_record_extended((x.class, x.oid, x.xmin), 3))
        from (
          select 'pg_namespace'::regclass::oid as class, n.oid, n.xmin from pg_namespace n where n.nspname !~ '^pg_'
          union all
          select 'pg_trigger'::regclass, t.oid, t.xmin from pg_trigger t where not t.tgisinternal
          union all
          select 'pg_policy'::regclass, p.oid, p.xmin from pg_policy p
          union all
          select 'pg_rewrite'::regclass, r.oid, r.xmin from pg_rewrite r where r.oid >= 16384
          union all
          select 'pg_constraint'::regclass, c.oid, c.xmin from pg_constraint c where c.oid >= 16384
          union all
          select 'pg_attrdef'::regclass, d.oid, d.xmin from pg_attrdef d
          union all
          select 'pg_statistic_ext'::regclass, s.oid, s.xmin from pg_statistic_ext s
          union all
          select 'pg_operator'::regclass, o.oid, o.xmin from pg_operator o where o.oid >= 16384
          union all
          select 'pg_opclass'::regclass, o.oid, o.xmin from pg_opclass o where o.oid >= 16384
          union all
          select 'pg_amproc'::regclass, a.oid, a.xmin from pg_amproc a where a.oid >= 16384
          union all
          select 'pg_amop'::regclass, a.oid, a.xmin from pg_amop a where a.oid >= 16384
          union all
          select 'pg_cast'::regclass, c.oid, c.xmin from pg_cast c where c.oid >= 16384
          union all
          select 'pg_language'::regclass, l.oid, l.xmin from pg_language l
          union all
          select 'pg_foreign_server'::regclass, s.oid, s.xmin from pg_foreign_server s
          union all
          select 'pg_foreign_data_wrapper'::regclass, f.oid, f.xmin from pg_foreign_data_wrapper f
          union all
          select 'pg_extension'::regclass, d.objid, null from pg_depend d
          where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'
          union all
          select 'pg_inherits'::regclass, i.inhrelid, i.xmin from pg_inherits i
        ) x
      ),
      (select string_agg(t.role::text, ',' order by t.role) from portolan.trusted_roles() t (role)),
      (select concat_ws('.', d.oid, d.datacl) from pg_database d where d.datname = current_database()),
      (select s.value from portolan.settings s where s.name = 'trusted_functions'))));
end
$$;
