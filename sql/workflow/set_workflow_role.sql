-- Sets the role of an account or group in the workflow of a table: author, reviewer, publisher or none. Raises PX400, PX404.
create or replace function portolan.set_workflow_role(relation regclass, user_name text, role text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write workflow_roles
as $$
#variable_conflict use_variable
declare
  v_user portolan.users := portolan.existing_account(user_name);
  v_level integer := array_position('{author,reviewer,publisher}', role);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if role is null or v_level is null and role <> 'none' then
    raise exception 'a role must be author, reviewer, publisher or none' using errcode = 'PX400';
  end if;
  if v_level is null then
    delete from portolan.workflow_roles w where w.relation = set_workflow_role.relation and w.user_name = v_user.name;
  else
    insert into portolan.workflow_roles (relation, user_name, level)
    values (relation, v_user.name, v_level)
    on conflict on constraint workflow_roles_pkey do update set level = excluded.level;
  end if;
end
$$;
