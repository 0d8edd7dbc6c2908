-- Applies the workflow of the table to each written row. The writer's role must be at least as high as the row's
-- status. The row then gets the status of the writer's role. A status below zero requests that status (GraphQL's
-- workflow…). Any other value that the writer gives to the two columns is overwritten. The trigger _700_workflow calls
-- this function. Security invoker, since portolan.workflow_level depends on the caller. Raises 42501 with the name of
-- the required role, and PX400.
create or replace function portolan.tg__workflow() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_roles constant text[] := '{author,reviewer,publisher}';
  v_states constant text[] := '{drafted,reviewed,published}';
  v_level integer := portolan.workflow_level(coalesce(pg_partition_root(tg_relid), tg_relid), true);
  v_had integer := case when tg_op = 'INSERT' then 1 else old.portolan_status end;
  v_to integer := v_level;
begin
  if tg_op <> 'DELETE' and new.portolan_status < 0 then
    v_to := -new.portolan_status;
    if v_to > 3 then
      raise exception 'a row can only be drafted, reviewed or published: 1, 2 or 3' using errcode = 'PX400';
    end if;
  end if;
  if v_level < v_had then
    raise exception '% needs the role %', case tg_op
        when 'INSERT' then 'insert of a row'
        else format('%s of a row that is %s', lower(tg_op), v_states[v_had])
      end, array_to_string(v_roles[v_had:3], ' or ')
      using errcode = 'insufficient_privilege', schema = tg_table_schema, table = tg_table_name;
  elsif v_level < v_to then
    raise exception 'to make a row % needs the role %', v_states[v_to], array_to_string(v_roles[v_to:3], ' or ')
      using errcode = 'insufficient_privilege', schema = tg_table_schema, table = tg_table_name;
  elsif tg_op = 'DELETE' then
    return old;
  end if;
  new.portolan_status := v_to;
  new.portolan_workflow := case when tg_op = 'INSERT' then '{}' else coalesce(old.portolan_workflow, '{}') end;
  -- a draft still belongs to its author after somebody sent it back
  if v_to > 1 or not new.portolan_workflow ? 'author' then
    new.portolan_workflow := new.portolan_workflow
      || jsonb_build_object(v_roles[v_to], coalesce((select m.name from portolan.me m), current_user));
  end if;
  return new;
end
$$;
