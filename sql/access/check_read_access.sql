-- Refuses a statement that reads relations where a rule denies reading to the caller. The gateway calls it on the caller's
-- own connection with the relations that the statement names. Relations behind a view made with security_invoker count too,
-- because that view reads them as the caller. Raises 42501, PX401.
create or replace function portolan.check_read_access(relations oid[]) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
begin
  for v_relation in
    with recursive behind (oid) as (
      select unnest(relations)
      union
      select d.refobjid
      from behind b
        join pg_class v on v.oid = b.oid and v.relkind = 'v'
        join pg_rewrite r on r.ev_class = v.oid
        join pg_depend d
          on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
          and d.refclassid = 'pg_class'::regclass and d.refobjid <> v.oid
      where exists (
        select from pg_options_to_table(v.reloptions) o
        where o.option_name = 'security_invoker' and o.option_value::boolean)
    )
    select c.oid from behind b join pg_class c on c.oid = b.oid where c.relkind in ('r', 'p')
  loop
    if portolan.access(v_relation) = 'deny' then
      perform portolan.refuse(v_relation, 'select');
    end if;
  end loop;
end
$$;
