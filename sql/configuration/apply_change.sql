-- Makes one change of a configuration, except changes of rules. Raises the errors of the functions that it calls.
create or replace function portolan.apply_change(kind text, name text, member text, before jsonb, after jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_text text := after #>> '{}';
  v_relation regclass;
  v_columns jsonb;
  v_saved constant text := (select k.noun from portolan.saved_kinds() k where k.relation = kind);
begin
  if v_saved is not null then
    if after is null then
      perform portolan.drop_saved(v_saved, name);
    elsif before is null then
      perform portolan.create_saved(v_saved, after - 'owner' || jsonb_build_object('name', name));
      perform portolan.update_saved(v_saved, name, jsonb_build_object('owner', after -> 'owner'));
    else
      perform portolan.update_saved(v_saved, name, (
        select coalesce(jsonb_object_agg(a.key, a.value), '{}')
        from jsonb_each(after) a
        where a.value is distinct from before -> a.key));
    end if;
    return;
  end if;
  if kind not in ('accounts', 'clients', 'methods') then
    v_relation := to_regclass(name);
    if v_relation is null and not (kind = 'rasters' and before is null) then
      raise exception 'there is no such table or view' using errcode = 'PX404';
    end if;
  end if;
  case kind
    when 'accounts' then
      if after is null then
        perform portolan.drop_user(name);
      elsif before is null and after ->> 'role' is not null then
        perform portolan.adopt_role(
          name, after ->> 'role', null, after ->> 'email', coalesce(after -> 'properties', '{}'));
      elsif before is null then
        perform portolan.create_user(name, null, after ->> 'email', 
          nullif(array_to_string(portolan.group_list(after -> 'user_group'), ','), ''),
          coalesce(after -> 'properties', '{}'), coalesce((after ->> 'superuser')::boolean, false));
        perform portolan.update_user(name, jsonb_build_object(
          'default_user', coalesce(after -> 'default_user', 'false'),
          'email_verified', coalesce(after -> 'email_verified', 'false'),
          'two_factor', coalesce(after -> 'two_factor', 'false'),
          'allow_signup', after -> 'allow_signup',
          'social_signup', after -> 'social_signup'));
      else
        perform portolan.update_user(name, (
          select coalesce(jsonb_object_agg(a.key, a.value), '{}')
          from jsonb_each(after) a
          where a.value is distinct from before -> a.key));
      end if;
    when 'clients' then
      if after is null then
        perform portolan.drop_client(name);
      else
        if before is null then
          perform portolan.create_client(name, coalesce(after ->> 'name', name), '{}',
            coalesce((after ->> 'public')::boolean, false));
        end if;
        perform portolan.update_client(name, after);
      end if;
    when 'methods' then
      if after is null then
        perform portolan.drop_method(name);
      elsif before is null then
        insert into portolan.methods
        select * from jsonb_populate_record(
          null::portolan.methods,
          '{"output_format": "json", "srs": 4326, "published": true}' || after
            || jsonb_build_object('method', name, 'created_at', now()));
      else
        perform portolan.update_method(name, (
          select coalesce(jsonb_object_agg(a.key, a.value), '{}')
          from jsonb_each(after) a
          where a.value is distinct from before -> a.key));
      end if;
    when 'rasters' then
      if after is null then
        perform portolan.drop_raster(p.parts[1], p.parts[2]) from parse_ident(name) p (parts);
      elsif before is null then
        perform portolan.create_raster(p.parts[1], p.parts[2], v_text) from parse_ident(name) p (parts);
      else
        perform portolan.update_raster(p.parts[1], p.parts[2], v_text) from parse_ident(name) p (parts);
      end if;
    when 'styles' then
      perform portolan.set_style(v_relation, after -> 'classes', member, after ->> 'title');
      if coalesce((after ->> 'default')::boolean, false) then
        perform portolan.set_default_style(v_relation, member);
      elsif coalesce((before ->> 'default')::boolean, false) and after is not null then
        perform portolan.set_default_style(v_relation, 'default');
      end if;
    when 'column_privileges' then
      perform portolan.set_column_privileges(v_relation, member, (
        select coalesce(jsonb_object_agg(c.key, '[]'::jsonb), '{}') from jsonb_object_keys(before) c (key)) || coalesce(after, '{}'));
    when 'privileges' then
      if after is null then -- entries of their own revoke those on columns
        select jsonb_object_agg(p."column", p.privileges) into v_columns
        from portolan.column_privileges_of(v_relation) p where p.subuser = member;
      end if;
      perform portolan.set_privilege(v_relation, member, coalesce(v_text, 'none'));
      perform portolan.set_column_privileges(v_relation, member, v_columns) where v_columns is not null;
    when 'workflow_roles' then
      perform portolan.set_workflow_role(v_relation, member, coalesce(v_text, 'none'));
    else
      case member
        when 'authentication' then
          perform portolan.set_authentication(v_relation, coalesce(v_text, 'Read/write'));
        when 'style' then
          perform portolan.set_style(v_relation, after);
        when 'events' then
          if coalesce(v_text::boolean, false) then
            perform portolan.enable_events(v_relation);
          else
            perform portolan.disable_events(v_relation);
          end if;
        when 'versioning' then
          if coalesce(v_text::boolean, false) then
            perform portolan.enable_versioning(v_relation);
          else
            perform portolan.disable_versioning(v_relation);
          end if;
        when 'workflow' then
          if coalesce(v_text::boolean, false) then
            perform portolan.enable_workflow(v_relation);
          else
            perform portolan.disable_workflow(v_relation);
          end if;
        else
          raise exception 'a table has no such setting' using errcode = 'PX400';
      end case;
  end case;
end
$$;
