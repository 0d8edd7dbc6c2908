-- Changes this database to match a configuration: completely or not at all. dry: everything is tried, and rolled back.
-- Returns the changes: see configuration_changes. POST /configuration, `portolan apply`. Raises the errors of the
-- functions that make the changes, with the place in the configuration.
create or replace function portolan.apply_configuration(configuration jsonb, prune boolean default false, dry boolean default true)
  returns table (kind text, name text, member text, action text, before jsonb, after jsonb)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: as the functions that it calls
as $$
#variable_conflict use_column
declare
  v_changes jsonb;
  v_change record;
  v_is_operator boolean := not exists (select from portolan.logins l where l.role = session_user);
begin
  perform portolan.lock_own('portolan.rules', 'row exclusive'); -- first: the order of locks is that of one_at_a_time
  perform portolan.one_at_a_time();
  select coalesce(jsonb_agg(to_jsonb(c)), '[]') into v_changes
  from portolan.configuration_changes(configuration, prune) c;
  begin
    for v_change in
      select r.* from jsonb_to_recordset(v_changes)
        as r (kind text, name text, member text, action text, before jsonb, after jsonb)
    loop
      if v_change.kind = 'rules' then
        continue;
      end if;
      begin
        if v_change.kind = 'accounts' and v_change.after ? 'role' and not v_is_operator then
          raise exception 'only the operator can create an account for an existing role: use portolan apply'
            using errcode = 'PX403';
        end if;
        perform portolan.apply_change(
          v_change.kind, v_change.name, v_change.member, v_change.before, nullif(v_change.after, 'null'));
      exception
        when others then
          raise exception '%: %', concat_ws(': ', v_change.kind, v_change.name, nullif(v_change.member, '')), sqlerrm
            using errcode = sqlstate;
      end;
    end loop;
    perform portolan.apply_rule_changes(jsonb_path_query_array(v_changes, '$[*] ? (@.kind == "rules")'));
    if dry then
      raise exception 'this was dry' using errcode = 'PXDRY';
    end if;
  exception
    when sqlstate 'PXDRY' then null;
  end;
  return query
    select r.* from jsonb_to_recordset(v_changes)
      as r (kind text, name text, member text, action text, before jsonb, after jsonb);
end
$$;
