-- Sets the members that workflow_of shows: first the roles, then whether the workflow is on. Members that are not in
-- `settings` do not change. Raises the errors of set_workflow_role, enable_workflow and disable_workflow. Returns the
-- number of the job if enable_workflow makes one.
create or replace function portolan.set_workflow(relation regclass, settings jsonb) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: as the functions that it calls
as $$
#variable_conflict use_variable
begin
  perform portolan.set_workflow_role(relation, r ->> 'subuser', r ->> 'role')
  from jsonb_array_elements(coalesce(settings -> 'roles', '[]')) r;
  if settings -> 'enabled' = 'true' then
    return portolan.enable_workflow(relation);
  elsif settings -> 'enabled' = 'false' then
    perform portolan.disable_workflow(relation);
  end if;
  return null;
end
$$;
