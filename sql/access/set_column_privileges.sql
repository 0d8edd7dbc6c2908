-- Sets the privileges of an account on single columns of a table or view. columns: {name: [select, insert, update]};
-- columns that it does not name do not change. Returns the GRANTs and REVOKEs that ran; with `dry` those that would
-- run. The change is written to the audit. Raises PX400, PX404, PX409 where the rules for the table do not hold or it
-- has no room for another grant, and 42501 where the owner of Portolan may not grant on the relation.
create or replace function portolan.set_column_privileges(
  relation regclass, user_name text, columns jsonb, dry boolean default false
) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to grant is the owner's
as $$
#variable_conflict use_variable
declare
  v_following text := current_setting('portolan.following', true);
  v_user portolan.users;
  v_statements text[];
  v_statement text;
  v_before jsonb;
  v_after jsonb;
begin
  perform portolan.one_at_a_time();
  v_user := portolan.existing_account(user_name);
  perform portolan.check_relation(relation);
  v_statements := array(select portolan.column_grants(relation, v_user.role, columns));
  if dry or cardinality(v_statements) = 0 then
    return array_to_string(v_statements, E';\n') || case when cardinality(v_statements) > 0 then ';' else '' end;
  end if;
  select jsonb_object_agg(p."column", to_jsonb(p.privileges)) into v_before
  from portolan.column_privileges_of(relation) p where p.subuser = v_user.name and columns ? p."column";
  perform portolan.close_relation(relation);
  perform set_config('portolan.following', 'on', true); -- the history's rights are refreshed below
  begin
    foreach v_statement in array v_statements loop
      perform portolan.grant_on(relation, v_statement);
    end loop;
  exception
    when lock_not_available then
      perform portolan.refuse_locked(relation, 'share update exclusive', format('%s is in use', relation));
  end;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  perform portolan.refresh_mirror(relation);
  -- a GRANT by a role that has the right, but not the grant option, is only a warning in PostgreSQL
  if exists (select portolan.column_grants(relation, v_user.role, columns)) then
    raise exception 'the owner of Portolan may not grant on %', relation using errcode = 'insufficient_privilege';
  end if;
  select jsonb_object_agg(p."column", to_jsonb(p.privileges)) into v_after
  from portolan.column_privileges_of(relation) p where p.subuser = v_user.name and columns ? p."column";
  insert into portolan.audit (event, address, details)
  values ('column_privilege.changed', portolan.caller_address(), jsonb_build_object(
    'relation', relation, 'user_name', v_user.name, 'by', portolan.actor(),
    'before', coalesce(v_before, '{}'), 'after', coalesce(v_after, '{}')));
  return array_to_string(v_statements, E';\n') || ';';
end
$$;
