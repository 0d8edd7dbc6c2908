-- A text that changes with everything that own_parts tells of, and with what the last migration recorded of it: while it is
-- the same, no part has changed. It is of what the catalogue holds, with its numbers, so a restored dump has another one. To
-- write the parts for people, as own_parts does, takes twice as long.
create or replace function portolan.own_parts_stamp() returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_relations oid[] := array(select c.oid from pg_class c where c.relnamespace = 'portolan'::regnamespace);
begin
  return (
    select md5(concat_ws(
      ' ',
      current_setting('server_version_num')::integer / 10000,
      (
        select bit_xor(hash_record_extended((
          p.oid, p.proname, p.proargtypes, p.prosrc, p.prolang, p.prosecdef, p.provolatile, p.proisstrict, p.proretset,
          p.prorettype, p.proconfig, p.proargnames, p.proargdefaults::text), 0))
        from pg_proc p
        where p.pronamespace = 'portolan'::regnamespace and p.proname !~ '^tg_[0-9]+__'
      ),
      (
        select bit_xor(hash_record_extended((c.oid, c.relname, c.relkind, c.relrowsecurity, c.relpersistence), 1))
        from pg_class c
        where c.oid = any (v_relations)
      ),
      (
        select bit_xor(hash_record_extended((
          a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attidentity), 2))
        from pg_attribute a
        where a.attrelid = any (v_relations) and a.attnum > 0 and not a.attisdropped
      ),
      (
        select bit_xor(hashtextextended(x.content, 3))
        from (
          select d::text from pg_attrdef d where d.adrelid = any (v_relations)
          union all
          select r::text from pg_rewrite r where r.ev_class = any (v_relations)
          union all
          select t::text from pg_trigger t where t.tgrelid = any (v_relations) and not t.tgisinternal
          union all
          select p::text from pg_policy p where p.polrelid = any (v_relations)
          union all
          select c::text from pg_constraint c where c.conrelid = any (v_relations)
          union all
          select i::text from pg_index i where i.indrelid = any (v_relations)
        ) x (content)
      ),
      (
        select bit_xor(hash_record_extended((d.classid, d.objid), 4))
        from pg_depend d
        where d.classid in ('pg_proc'::regclass, 'pg_class'::regclass) and d.deptype = 'e' and (
          d.objid = any (v_relations)
          or d.objid in (select p.oid from pg_proc p where p.pronamespace = 'portolan'::regnamespace))
      ),
      (select bit_xor(hash_record_extended((n.part, n.state, n.statement, n.writer), 5)) from portolan.noted_own_parts n))));
end
$$;
