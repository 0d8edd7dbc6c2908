-- Changes with everything of a table that its history must follow, and with the twin: while it equals the recorded stamp,
-- there is nothing to do. It includes the place of each catalogue row (ctid), since one transaction may change the same
-- thing twice.
create or replace function portolan.history_stamp(relation oid, history oid) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_members oid[] := case
    when (select c.relkind from pg_class c where c.oid = relation) = 'p' then portolan.event_members(relation)
    else array[relation] end;
begin
  return (
    select md5(concat_ws(
      ' ',
      history,
      (
        select string_agg(concat_ws('.', c.oid, c.xmin, c.ctid, n.oid, n.xmin, n.ctid), ',' order by c.oid)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid in (relation, history)
      ),
      (
        select string_agg(concat_ws('.', a.attrelid, a.xmin, a.ctid), ',' order by a.attrelid, a.attnum)
        from pg_attribute a
        where a.attrelid in (relation, history) and a.attnum > 0
      ),
      (
        select string_agg(concat_ws('.', p.oid, p.xmin, p.ctid), ',' order by p.oid)
        from pg_policy p
        where p.polrelid in (relation, history)
      ),
      (
        select string_agg(concat_ws('.', t.tgrelid, t.oid, t.xmin, t.ctid, f.xmin, f.ctid), ',' order by t.oid)
        from unnest(v_members) m (oid)
          join pg_trigger t on t.tgrelid = m.oid and t.tgname like '\_800\_keep\_%'
          join pg_proc f on f.oid = t.tgfoid
      ),
      array_to_string(v_members, ','))));
end
$$;
