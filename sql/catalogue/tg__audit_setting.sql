-- Writes to portolan.audit that a setting was made, changed or removed: by whom, and its values before and after. The
-- trigger's arguments: the event's subject, the columns that name the thing (relation: the shown name), and the columns
-- whose change counts.
create or replace function portolan.tg__audit_setting() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: a writer of the table may not write the audit
as $$
declare
  v_old jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_new jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  v_named text[] := tg_argv[1]::text[];
  v_before jsonb;
  v_after jsonb;
begin
  select jsonb_object_agg(c.name, v_old -> c.name), jsonb_object_agg(c.name, v_new -> c.name)
  into v_before, v_after
  from unnest(tg_argv[2]::text[]) c (name)
  where v_old -> c.name is distinct from v_new -> c.name;
  if tg_op = 'UPDATE' and v_before is null then
    return null;
  end if;
  insert into portolan.audit (event, address, details)
  values (
    tg_argv[0] || case tg_op when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.removed' end,
    portolan.caller_address(),
    (select jsonb_object_agg(n.name, coalesce(v_new, v_old) -> n.name) from unnest(v_named) n (name))
      || jsonb_build_object(
        'by', portolan.actor(),
        'before', case when tg_op = 'INSERT' then 'null' else v_before end,
        'after', case when tg_op = 'DELETE' then 'null' else v_after end));
  return null;
end
$$;
