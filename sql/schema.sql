-- Made by npm run schema:dump on PostgreSQL 15; do not edit.

CREATE SCHEMA portolan;

CREATE FUNCTION portolan.access(relation regclass, request text DEFAULT 'select'::text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_command "char" :=
    case request when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w' when 'delete' then 'd' end;
  v_rule integer;
begin
  if v_command is null then
    raise exception 'a request is select, insert, update or delete' using errcode = 'PX400';
  elsif not exists (
    select from portolan.ruled_commands r where r.relation = access.relation and r.command = v_command)
  then
    return 'allow';
  end if;
  v_rule := portolan.rule(relation, v_command);
  return case
    when v_rule = 0 then 'allow'
    when not (select c.relrowsecurity from pg_class c where c.oid = relation) then 'deny'
    when not row_security_active(relation) then 'allow' -- its owner is above rules
    when v_rule = -1 then 'deny'
    else 'limit'
  end;
end
$$;

COMMENT ON FUNCTION portolan.access(relation regclass, request text) IS 'What rules say of select, insert, update or delete on a table for the caller: allow, limit or deny.';

CREATE FUNCTION portolan.access_findings() RETURNS TABLE(kind text, finding text, remedy text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- rules that do not hold
  select 'rules', format('the rules for %s do not hold: %s', u.relation, coalesce(
      s.problem, 'its policies are not there; interfaces refuse it until they are')),
    case
      when s.problem is not null then 'narrow that rule: npx portolan rule list'
      when pg_has_role(current_user, c.relowner, 'usage') then 'npx portolan migrate --repair-roles'
      else format('grant %I to %I;', pg_get_userbyid(c.relowner), current_user)
    end
  from portolan.unprotected_relations() u
    join pg_class c on c.oid = u.relation
    left join portolan.row_security s on s.relation = u.relation
  union all
  -- views that read with their owner's rights tables whose rows are not everybody's
  select 'views', format('%s shows rows of %s that its readers may not see there', c.oid::regclass, t.tables),
    case c.relkind
      when 'v' then format('alter view %s set (security_invoker = true);', c.oid::regclass)
      else format('revoke select on %s from …;', c.oid::regclass)
    end
  from pg_class c
    cross join lateral (
      select string_agg(b.relation::text, ', ' order by b.relation::text) as tables
      from portolan.tables_beneath(c.oid) b join pg_class k on k.oid = b.relation
      where k.relrowsecurity
    ) t
  where c.relkind in ('v', 'm') and t.tables is not null and portolan.is_team_relation(c.oid)
    and not coalesce('security_invoker=true' = any (c.reloptions) or 'security_invoker=on' = any (c.reloptions)
      or 'security_invoker=1' = any (c.reloptions) or 'security_invoker=yes' = any (c.reloptions), false)
    and exists (
      select from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
      where a.privilege_type = 'SELECT' and a.grantee <> c.relowner
        and (a.grantee = 0 or exists (
          select from portolan.users u join pg_roles r on r.rolname = u.role
          where not u.superuser and pg_has_role(r.oid, a.grantee, 'usage'))))
  union all
  -- a table whose children have rules of their own: they are read through it all the same
  select distinct 'views', format('%s shows the rows of %s without the rules for that', i.inhparent::regclass, i.inhrelid::regclass),
    format('write the rule for %s too', i.inhparent::regclass)
  from pg_inherits i
  where exists (
    select from portolan.rule_map m
    where m.relation = i.inhrelid::regclass and not exists (
      select from portolan.rule_map p where p.relation = i.inhparent::regclass and p.id = m.id and p.command = m.command))
  union all
  select 'views', format('%s is a foreign table: a rule that means it does not hold', c.oid::regclass),
    format('revoke all on %s from …;', c.oid::regclass)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'f' and portolan.is_team_relation(c.oid)
    and exists (
      select from portolan.rules r
      where n.nspname like portolan.like_pattern(r.schema) and c.relname like portolan.like_pattern(r."table")
        and r.access <> 'allow')
    and exists (
      select from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
      where a.grantee <> c.relowner
        and (a.grantee = 0 or exists (
          select from portolan.users u join pg_roles r on r.rolname = u.role
          where not u.superuser and pg_has_role(r.oid, a.grantee, 'usage'))))
  union all
  -- made while row level security was off: it protects nothing, and looks as if it did
  select 'policies', format('the policies of %s sleep, since its row level security is off: %s', c.oid::regclass,
      string_agg(quote_ident(p.polname), ', ' order by p.polname)),
    format('alter table %s enable row level security;', c.oid::regclass)
  from pg_class c join pg_policy p on p.polrelid = c.oid
  where not c.relrowsecurity and portolan.is_team_relation(c.oid)
  group by c.oid
  union all
  select 'event trigger', 'new tables fall under the rules within a second, not at once',
    'as a superuser: select portolan.install_ddl_trigger();'
  where not exists (
    select from pg_event_trigger e where e.evtname = 'portolan_follow_ddl' and e.evtenabled in ('O', 'A'))
  union all
  -- operators that row security keeps from using an index
  select 'leakproof', 'row security keeps indexes on numeric and enum columns from being used',
    string_agg(format('alter function %s leakproof;', f.signature), E'\n' order by f.signature)
  from portolan.leaky_functions() f
  where exists (select from portolan.row_security)
  having count(*) > 0
$$;

COMMENT ON FUNCTION portolan.access_findings() IS 'What an operator should mend for rules to hold everywhere.';

CREATE FUNCTION portolan.account_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_name text := lower(name);
begin
  if v_name is null or v_name !~ '^[a-z_][a-z0-9_-]{0,39}$' then
    raise exception 'an account name is 1 to 40 of a-z, 0-9, _ and -, and starts with a letter or _'
      using errcode = 'PX400';
  end if;
  return v_name;
end
$_$;

COMMENT ON FUNCTION portolan.account_name(name text) IS 'The name of an account, lower-cased and checked.';

CREATE FUNCTION portolan.actor() RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if exists (select from portolan.logins l where l.role = session_user and l.kind = 'gateway') then
    return coalesce(nullif(current_setting('portolan.user', true), ''), session_user);
  elsif exists (select from portolan.logins l where l.role = session_user) then
    -- the runner's, where SQL that somebody wrote may set what it likes
    return coalesce(
      (select o.account from portolan.own_sessions o where o.pid = pg_backend_pid() and o.login = session_user),
      session_user);
  end if;
  return coalesce((select min(u.name) from portolan.users u where u.role = session_user), session_user);
end
$$;

COMMENT ON FUNCTION portolan.actor() IS 'The account that is writing, or the role where there is none.';

CREATE FUNCTION portolan.add_workflow_history(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_history regclass := (
    select v.history from portolan.versioned_tables v where v.relation = add_workflow_history.relation and v.active);
begin
  if v_history is null or exists (
    select from pg_attribute a where a.attrelid = v_history and a.attname in ('portolan_status', 'portolan_workflow'))
  then
    return;
  end if;
  execute format(
    'alter table %s add column portolan_status smallint default 3, add column portolan_workflow jsonb', v_history);
  execute format('alter table %s alter column portolan_status drop default', v_history);
  insert into portolan.versioned_columns (relation, attnum, name, type)
  select relation, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod)
  from pg_attribute a
  where a.attrelid = relation and a.attname in ('portolan_status', 'portolan_workflow');
  update portolan.versioned_tables v set mirrored = '' where v.relation = add_workflow_history.relation;
end
$$;

COMMENT ON FUNCTION portolan.add_workflow_history(relation regclass) IS 'Gives the history of a table the columns of its workflow.';

CREATE FUNCTION portolan.adopt_role(name text, role text, password text DEFAULT NULL::text, email text DEFAULT NULL::text, properties jsonb DEFAULT '{}'::jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_name text := portolan.account_name(name);
  v_role pg_roles;
  v_user portolan.users;
begin
  if v_name in ('owner', 'anonymous') then
    raise exception 'the account name "%" is reserved', v_name using errcode = 'PX400';
  end if;
  select r.* into v_role from pg_roles r where r.rolname = adopt_role.role;
  if not found then
    raise exception 'there is no role "%"', role using errcode = 'PX404';
  end if;
  if v_role.rolname like 'pg\_%' or exists (
    select from pg_roles r
    where pg_has_role(v_role.oid, r.oid, 'member')
      and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
        or r.rolname in (current_user, portolan.role_name('owner'))
        or r.rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
        or exists (select from portolan.logins l where l.role = r.rolname)))
  then
    raise exception 'the role "%" has too much power to be an account', role using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = v_name) then
    raise exception 'the account "%" exists', v_name using errcode = 'PX409';
  end if;
  insert into portolan.users (name, role, role_made, password, email, properties)
  values (v_name, role, false, portolan.hash_password(password), email, coalesce(properties, '{}'))
  returning * into v_user;
  perform portolan.join_roles(v_user);
  return role;
end
$$;

COMMENT ON FUNCTION portolan.adopt_role(name text, role text, password text, email text, properties jsonb) IS 'Makes an account of a PostgreSQL role that is already there.';

CREATE FUNCTION portolan.apply_authentication(relation regclass, level text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_following text := current_setting('portolan.following', true);
  v_schema text;
  v_anonymous text := portolan.role_name('anonymous');
begin
  perform set_config('portolan.following', 'on', true); -- whoever calls this refreshes the history's rights
  if level = 'Read/write' then
    execute format('revoke select on table %s from %I', relation, v_anonymous);
    perform set_config('portolan.following', coalesce(v_following, ''), true);
    return;
  end if;
  select n.nspname into v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  execute format('grant usage on schema %I to %I', v_schema, v_anonymous);
  execute format('grant select on table %s to %I', relation, v_anonymous);
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.apply_authentication(relation regclass, level text) IS 'Writes an authentication level as a grant to anonymous.';

CREATE FUNCTION portolan.apply_change(kind text, name text, member text, before jsonb, after jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_text text := after #>> '{}';
  v_relation regclass;
begin
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
        perform portolan.create_user(name, null, after ->> 'email', after ->> 'user_group',
          coalesce(after -> 'properties', '{}'), coalesce((after ->> 'superuser')::boolean, false));
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
    when 'privileges' then
      perform portolan.set_privilege(v_relation, member, coalesce(v_text, 'none'));
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

COMMENT ON FUNCTION portolan.apply_change(kind text, name text, member text, before jsonb, after jsonb) IS 'Does one change of a configuration.';

CREATE FUNCTION portolan.apply_configuration(configuration jsonb, prune boolean DEFAULT false, dry boolean DEFAULT true) RETURNS TABLE(kind text, name text, member text, action text, before jsonb, after jsonb)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_column
declare
  v_changes jsonb;
  v_change record;
  v_is_operator boolean := not exists (select from portolan.logins l where l.role = session_user);
begin
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
          raise exception 'an account of a role that is there is made by the operator alone: portolan apply'
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
$_$;

COMMENT ON FUNCTION portolan.apply_configuration(configuration jsonb, prune boolean, dry boolean) IS 'Makes this database what a configuration says: all of it or nothing.';

CREATE FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_following text := current_setting('portolan.following', true);
  v_schema text;
  v_sequence regclass;
  v_writes boolean := privilege in ('write', 'all');
begin
  perform set_config('portolan.following', 'on', true); -- whoever calls this refreshes the history's rights
  select n.nspname into v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  execute format('revoke all on table %s from %I', relation, role);
  if privilege <> 'none' then
    execute format('grant usage on schema %I to %I', v_schema, role);
    execute format('grant select%s on table %s to %I', case when v_writes then ', insert, update, delete' else '' end,
      relation, role);
  end if;
  for v_sequence in
    select d.objid::regclass
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.refobjid = relation and d.deptype in ('a', 'i')
  loop
    execute format(case when v_writes then 'grant usage on sequence %s to %I' else 'revoke all on sequence %s from %I' end,
      v_sequence, role);
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) IS 'Writes a privilege as PostgreSQL grants.';

CREATE FUNCTION portolan.apply_rule_changes(changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_wrong text;
begin
  select c ->> 'name' into v_wrong from jsonb_array_elements(changes) c where c ->> 'name' !~ '^[1-9][0-9]{0,8}$' limit 1;
  if v_wrong is not null then
    raise exception 'rules: %: a rule is named by its number', v_wrong using errcode = 'PX400';
  end if;
  delete from portolan.rules r
  using jsonb_array_elements(changes) c
  where c ->> 'action' = 'remove' and r.id = (c ->> 'name')::integer;
  update portolan.rules r
  set (priority, username, service, request, schema, "table", iprange, access, filter) = (
    n.priority, n.username, n.service, n.request, n.schema, n."table", n.iprange, n.access, n.filter)
  from jsonb_array_elements(changes) c,
    portolan.rule_record(c -> 'after', '{}') n
  where c ->> 'action' = 'change' and r.id = (c ->> 'name')::integer;
  insert into portolan.rules (id, priority, username, service, request, schema, "table", iprange, access, filter)
  select (c ->> 'name')::integer, n.priority, n.username, n.service, n.request, n.schema, n."table", n.iprange, n.access,
    n.filter
  from jsonb_array_elements(changes) c,
    portolan.rule_record(c -> 'after',
      '{"priority": 0, "username": "*", "service": "*", "request": "*", "schema": "*", "table": "*", "iprange": "*"}') n
  where c ->> 'action' = 'create';
  perform setval('portolan.rules_id_seq', greatest(
    (select s.last_value from portolan.rules_id_seq s), (select coalesce(max(r.id), 1) from portolan.rules r)));
end
$_$;

COMMENT ON FUNCTION portolan.apply_rule_changes(changes jsonb) IS 'Does the changes of rules in a configuration.';

CREATE FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean DEFAULT NULL::boolean) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_keys text[] := array[kind || ':pair:' || subject || '@' || address];
  v_free integer[] := array[10];
  -- how many of the keys, from the first, can lock this one out
  v_holding integer := 1;
  v_wait integer;
begin
  if kind = 'account' then
    v_keys := v_keys || array[kind || ':address:' || address, kind || ':subject:' || subject];
    v_free := v_free || array[10, 100];
    if not exists (
      select from portolan.known_addresses k
      where k.user_name = subject and k.address = attempt.address and k.signed_in_at > now() - interval '30 days'
    ) then
      v_holding := 3;
    end if;
  end if;
  select array_agg(encode(sha256(convert_to(k, 'UTF8')), 'hex') order by o) into v_keys
  from unnest(v_keys) with ordinality u (k, o);

  if succeeded is not null then
    if not succeeded then
      insert into portolan.lockouts (key, user_name, address_key)
      select k, u.name, case when n = 1 then v_keys[2] end
      from unnest(v_keys) with ordinality f (k, n)
        left join portolan.users u on kind = 'account' and n <> 2 and u.name = subject
      order by k
      on conflict do nothing;
    end if;
    perform from portolan.lockouts l where l.key = any (v_keys) order by l.key for update;
  end if;
  select ceil(extract(epoch from max(l.locked_until) - clock_timestamp())) into v_wait
  from portolan.lockouts l
  where l.key = any (v_keys[:v_holding]) and l.locked_until > clock_timestamp();
  if v_wait > 0 or succeeded is null then
    return coalesce(v_wait, 0);
  end if;

  if succeeded then
    delete from portolan.lockouts l where l.key = v_keys[1];
    insert into portolan.known_addresses as k (user_name, address)
    select u.name, attempt.address from portolan.users u where kind = 'account' and u.name = subject
    on conflict on constraint known_addresses_pkey do update set signed_in_at = now()
    where k.signed_in_at < now() - interval '1 day';
    return 0;
  end if;
  with counted as (
    select
      l.key,
      free,
      case when l.last_failure_at < clock_timestamp() - interval '1 hour' then 1 else l.failures + 1 end as failures
    from unnest(v_keys, v_free) f (key, free) join portolan.lockouts l on l.key = f.key
  )
  update portolan.lockouts l
  set
    failures = c.failures,
    last_failure_at = clock_timestamp(),
    locked_until = case
      when c.failures <= c.free then l.locked_until
      else clock_timestamp() + make_interval(secs => least(power(2, least(c.failures - c.free - 1, 20)), 900))
    end
  from counted c
  where l.key = c.key;
  return 0;
end
$$;

COMMENT ON FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean) IS 'Asks for, or notes, an attempt to sign in; returns the seconds to wait before the next.';

CREATE FUNCTION portolan.authentication_of(relation regclass) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(
    (select a.level from portolan.authentication a where a.relation = authentication_of.relation), 'Read/write')
$$;

COMMENT ON FUNCTION portolan.authentication_of(relation regclass) IS 'Who must sign in to read a table or view: None, Write (both: readable by anybody) or Read/write.';

CREATE FUNCTION portolan.base_tables(relations oid[]) RETURNS TABLE(schema text, name text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive behind (oid) as (
    select unnest(relations)
    union
    select d.refobjid
    from behind b
      join pg_rewrite r on r.ev_class = b.oid
      join pg_depend d
        on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid <> b.oid
  )
  select n.nspname::text, c.relname::text
  from behind b join pg_class c on c.oid = b.oid join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p')
$$;

COMMENT ON FUNCTION portolan.base_tables(relations oid[]) IS 'The tables behind these relations.';

CREATE FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into portolan.own_sessions (pid, login, ip, account)
  values (bind_own_session.pid, bind_own_session.login, bind_own_session.ip, bind_own_session.account)
  on conflict (pid) do update set login = excluded.login, ip = excluded.ip, account = excluded.account
$$;

COMMENT ON FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text) IS 'Notes the caller''s address and account for a connection of its own.';

CREATE FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_statement record;
begin
  select s.login, s.account, s.started into v_statement
  from portolan.list_statements() s
  where s.pid = cancel_statement.pid and s.state = 'active'
    and (cancel_statement.started is null or s.started = cancel_statement.started);
  if not found then
    raise exception 'the session % does not run %', pid, case when started is null then 'anything' else 'that any more' end
      using errcode = 'PX404';
  end if;
  perform pg_cancel_backend(cancel_statement.pid);
  insert into portolan.audit (event, account, address, details)
  values ('statement.cancelled', v_statement.account, nullif(current_setting('portolan.ip', true), ''),
    jsonb_build_object(
      'by', portolan.actor(), 'pid', cancel_statement.pid, 'login', v_statement.login, 'started', v_statement.started));
end
$$;

COMMENT ON FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone) IS 'Cancels what a session of this database runs.';

CREATE FUNCTION portolan.catalogue(schemas text[]) RETURNS TABLE(schema text, fingerprint text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with relations as (
    select c.oid, c.xmin, c.relnamespace
    from pg_class c
    where c.relnamespace in (select n.oid from pg_namespace n where n.nspname = any (schemas))
      and c.relkind in ('r', 'v', 'm', 'f', 'p', 'c')
  ), parts as (
    select r.relnamespace as namespace, 'c' || r.oid || '.' || r.xmin as part from relations r
    union all
    select r.relnamespace, 'a' || a.attrelid || '.' || a.attnum || '.' || a.xmin
    from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0
    union all
    select r.relnamespace, 'k' || k.oid || '.' || k.xmin || '.' || coalesce(d.xmin::text, '')
    from relations r
      join pg_constraint k on k.conrelid = r.oid
      left join pg_description d on d.classoid = 'pg_constraint'::regclass and d.objoid = k.oid
    union all
    select r.relnamespace, 'x' || i.indexrelid || '.' || i.xmin from relations r join pg_index i on i.indrelid = r.oid
    union all
    select r.relnamespace, 'g' || t.oid || '.' || t.xmin
    from relations r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select r.relnamespace, 'o' || o.oid || '.' || o.xmin from relations r join pg_policy o on o.polrelid = r.oid
    union all
    select r.relnamespace, 'd' || d.objoid || '.' || d.objsubid || '.' || d.xmin
    from relations r join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = r.oid
    union all
    select p.pronamespace, 'p' || p.oid || '.' || p.xmin || '.' || coalesce(d.xmin::text, '')
    from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace and n.nspname = any (schemas)
      left join pg_description d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid
    union all
    select t.typnamespace, 't' || t.oid || '.' || t.xmin || '.' || coalesce(
      (select string_agg(e.oid || '.' || e.xmin, ',' order by e.oid) from pg_enum e where e.enumtypid = t.oid), '')
    from pg_type t join pg_namespace n on n.oid = t.typnamespace and n.nspname = any (schemas)
    where t.typtype in ('e', 'd', 'r')
    union all
    select t.typnamespace, 'e' || d.objoid || '.' || d.xmin
    from pg_description d
      join pg_type t on t.oid = d.objoid
      join pg_namespace n on n.oid = t.typnamespace and n.nspname = any (schemas)
    where d.classoid = 'pg_type'::regclass
    union all
    select n.oid, 'n' || d.xmin
    from pg_namespace n join pg_description d on d.classoid = 'pg_namespace'::regclass and d.objoid = n.oid
    where n.nspname = any (schemas)
    union all
    -- a history that was begun in portions is there from when the last one is done
    select n.oid, 'h' || v.name || '.' || v.since
    from portolan.versioned_relations() v join pg_namespace n on n.nspname = v.schema
    where v.schema = any (schemas)
  )
  select n.nspname::text, md5(n.xmin || coalesce(string_agg(p.part, '|' order by p.part collate "C"), ''))
  from pg_namespace n left join parts p on p.namespace = n.oid
  where n.nspname = any (schemas)
  group by n.oid, n.nspname, n.xmin
$$;

COMMENT ON FUNCTION portolan.catalogue(schemas text[]) IS 'A fingerprint of each schema, which changes with every DDL in it.';

CREATE FUNCTION portolan.change_account(name text, changes jsonb, verified text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if has_function_privilege('portolan.update_user(text, jsonb)', 'execute') then
    perform portolan.update_user(name, changes);
  else
    perform portolan.change_own_account(name, changes, verified);
  end if;
end
$$;

COMMENT ON FUNCTION portolan.change_account(name text, changes jsonb, verified text) IS 'Changes an account: a super user any, everybody else email and password of its own.';

CREATE FUNCTION portolan.change_job(id bigint, state text, lock_wait interval DEFAULT NULL::interval) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_job portolan.jobs;
begin
  if state is null or state not in ('queued', 'stopped') then
    raise exception 'a job is stopped, or queued again' using errcode = 'PX400';
  end if;
  select j.* into v_job from portolan.jobs j where j.id = change_job.id for update;
  if not found then
    raise exception 'there is no job %', id using errcode = 'PX404';
  elsif v_job.state = 'done' then
    raise exception 'job % is done', id using errcode = 'PX409';
  end if;
  update portolan.jobs j
  set state = case when j.state = 'running' and change_job.state = 'queued' then 'running' else change_job.state end,
    error = null,
    lock_wait = coalesce(change_job.lock_wait, j.lock_wait),
    position = j.position - 'waited_ms',
    updated = now()
  where j.id = change_job.id;
exception
  when unique_violation then
    raise exception 'another job does the same' using errcode = 'PX409';
end
$$;

COMMENT ON FUNCTION portolan.change_job(id bigint, state text, lock_wait interval) IS 'Stops a job, or lets it go on.';

CREATE FUNCTION portolan.change_own_account(name text, changes jsonb, verified text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users;
  v_member text;
begin
  select u.* into v_user
  from portolan.users u
  where u.name = lower(change_own_account.name)
    and u.name <> 'anonymous'
    and u.role = current_setting('role')
    and u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name)
    and exists (select from portolan.logins l where l.role = session_user and l.kind = 'gateway')
  for no key update;
  if not found then
    raise exception 'an account may change itself only' using errcode = 'insufficient_privilege';
  end if;
  select c.key into v_member from jsonb_object_keys(changes) c (key) where c.key not in ('email', 'password') limit 1;
  if v_member is not null then
    raise exception 'an account may change its password and email; "%" is for super users', v_member
      using errcode = 'insufficient_privilege';
  end if;
  if changes ? 'email' then
    update portolan.users u set email = changes ->> 'email' where u.name = v_user.name;
  end if;
  if changes ? 'password' then
    if verified is null then
      raise exception 'a new password needs current_password' using errcode = 'PX400';
    end if;
    if verified is distinct from v_user.password then
      raise exception 'current_password is not right' using errcode = 'insufficient_privilege';
    end if;
    perform portolan.set_password(v_user.name, changes ->> 'password');
  end if;
end
$$;

COMMENT ON FUNCTION portolan.change_own_account(name text, changes jsonb, verified text) IS 'Changes email or password of the caller''s own account.';

CREATE FUNCTION portolan.change_schema(change jsonb, dry boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_schema text := portolan.identifier(change ->> 'schema');
  v_relation text := case when change ->> 'op' !~ '_type$' then format('%s.%s', v_schema, portolan.identifier(coalesce(change ->> 'table', change ->> 'name'))) end;
  v_sql text;
begin
  if change ->> 'op' !~ '_type$|^create_table$' then
    perform portolan.visible_relation(change ->> 'schema', change ->> 'table');
  end if;
  v_sql := case
    when change ->> 'op' ~ '_type$' then portolan.type_ddl(change, change ->> 'schema')
    when change ->> 'op' ~ '_table$' then portolan.table_ddl(change, v_relation)
    when change ->> 'op' ~ '_column$' then portolan.column_ddl(change, v_relation)
    else portolan.index_ddl(change, v_relation)
  end;
  if v_sql is null then
    raise exception 'nothing is to be changed' using errcode = 'PX400';
  elsif not dry then
    if current_setting('lock_timeout') = '0' then
      perform set_config('lock_timeout', '5s', true);
    end if;
    execute v_sql;
  end if;
  return v_sql;
exception
  when insufficient_privilege then
    raise;
  when duplicate_table or duplicate_column or duplicate_object then
    raise exception '%', sqlerrm using errcode = 'PX409';
  when syntax_error_or_access_rule_violation then -- what the parts name is not there, or does not fit
    raise exception '%', sqlerrm using errcode = 'PX400';
  when case_not_found then
    raise exception 'there is no such change: %', quote_nullable(left(change ->> 'op', 100)) using errcode = 'PX400';
end
$_$;

COMMENT ON FUNCTION portolan.change_schema(change jsonb, dry boolean) IS 'Makes, alters or drops what a schema has, from parts; returns the SQL.';

CREATE FUNCTION portolan.check_access(relations text[], request text DEFAULT 'select'::text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass;
begin
  foreach v_relation in array relations::regclass[] loop
    if portolan.access(v_relation, request) = 'deny' then
      raise exception 'a rule denies % on %', request, v_relation using errcode = 'insufficient_privilege';
    end if;
  end loop;
end
$$;

COMMENT ON FUNCTION portolan.check_access(relations text[], request text) IS 'Refuses a request on relations of which a rule denies one.';

CREATE FUNCTION portolan.check_raster_file(file text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  if file is null or length(file) > 500
    or file !~ '^([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*[.](tif|tiff|TIF|TIFF)$'
  then
    raise exception 'a raster is a .tif file below the raster folder: names of A-Z, a-z, 0-9, "_", "-" and ".", parted by "/"'
      using errcode = 'PX400';
  end if;
end
$_$;

COMMENT ON FUNCTION portolan.check_raster_file(file text) IS 'Refuses what is no path of a GeoTIFF below the raster folder.';

CREATE FUNCTION portolan.check_read_access(relations oid[]) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
      raise exception 'a rule denies select on %', v_relation using errcode = 'insufficient_privilege';
    end if;
  end loop;
end
$$;

COMMENT ON FUNCTION portolan.check_read_access(relations oid[]) IS 'Refuses a statement that reads relations of which a rule denies that to the caller.';

CREATE FUNCTION portolan.check_recorded(relation regclass, what text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_class record;
begin
  perform portolan.check_relation(relation);
  select c.relkind, c.relispartition, c.relpersistence into v_class from pg_class c where c.oid = relation;
  if v_class.relkind in ('v', 'm') then
    raise exception '% is a view, which is no table: % of the tables beneath it', relation, what using errcode = 'PX400';
  elsif v_class.relkind = 'f' then
    raise exception '% is a foreign table: what is written there is not seen here', relation using errcode = 'PX400';
  elsif v_class.relispartition then
    raise exception '% is a partition: % of %', relation, what, pg_partition_root(relation) using errcode = 'PX400';
  elsif v_class.relpersistence <> 'p' then
    raise exception '% is unlogged or temporary: a crash empties it without a trace', relation using errcode = 'PX400';
  elsif exists (select from pg_partition_tree(relation) t join pg_class c on c.oid = t.relid where c.relkind = 'f') then
    raise exception '% has a foreign table as partition: what is written there is not seen here', relation
      using errcode = 'PX400';
  elsif v_class.relkind = 'r' and exists (
    select from pg_inherits i where i.inhrelid = relation or i.inhparent = relation)
  then
    raise exception '% has parents or children by INHERITS, where one row belongs to several tables', relation
      using errcode = 'PX400';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.check_recorded(relation regclass, what text) IS 'Refuses a relation whose writes cannot be recorded.';

CREATE FUNCTION portolan.check_relation(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_kind "char";
  v_schema text;
begin
  select c.relkind, n.nspname into v_kind, v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not found then
    raise exception 'the relation does not exist' using errcode = 'PX404';
  end if;
  if v_kind not in ('r', 'p', 'v', 'm', 'f') then
    raise exception '% is no table or view', relation using errcode = 'PX400';
  end if;
  if exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = relation and d.deptype = 'e'
  ) or not v_schema = any (portolan.shown_schemas()) then
    raise exception '% is not a relation of this service', relation using errcode = 'PX400';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.check_relation(relation regclass) IS 'Refuses what is not a table or view of a team.';

CREATE FUNCTION portolan.check_rule_names(username text, schema text, "table" text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_tables text := portolan.like_pattern("table");
  v_schemas text := portolan.like_pattern(schema);
  v_relation regclass;
  v_kind "char";
begin
  if not exists (select from portolan.users u where u.name like portolan.like_pattern(username)) then
    if username !~ '[*?]' then
      raise exception 'there is no account "%"', username using errcode = 'PX400';
    end if;
    raise notice 'no account matches "%" yet', username;
  end if;
  if schema !~ '[*?]' and to_regnamespace(quote_ident(schema)) is null then
    raise exception 'there is no schema "%"', schema using errcode = 'PX400';
  end if;

  if exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relname like v_tables and n.nspname like v_schemas
      and portolan.is_team_relation(c.oid))
  then
    return;
  elsif "table" ~ '[*?]' then
    if (schema, "table") <> ('*', '*') then
      raise notice 'no table matches %.% yet', schema, "table";
    end if;
    return;
  end if;
  select c.oid, c.relkind into v_relation, v_kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm', 'f') and c.relname = "table" and n.nspname like v_schemas
    and portolan.is_team_relation(c.oid)
  order by c.oid
  limit 1;
  if not found then
    raise exception 'there is no table "%"%; for tables to come, write a glob', "table",
      case when schema <> '*' then format(' in schema "%s"', schema) else '' end using errcode = 'PX400';
  end if;
  perform portolan.refuse_rule_for(v_relation, v_kind);
end
$$;

COMMENT ON FUNCTION portolan.check_rule_names(username text, schema text, "table" text) IS 'Checks that the names of a rule mean something.';

CREATE FUNCTION portolan.check_style(relation regclass, style jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_class jsonb;
  v_class_path text;
  v_part jsonb;
  v_part_path text;
  v_list text;
begin
  if jsonb_typeof(style) is distinct from 'array' or jsonb_array_length(style) = 0 then
    raise exception 'style: expected a list of classes' using errcode = 'PX400';
  end if;
  if jsonb_array_length(style) > 100 then
    raise exception 'style: a list of more than 100' using errcode = 'PX400';
  end if;
  for v_class, v_class_path in
    select e.value, format('style[%s]', e.number - 1) from jsonb_array_elements(style) with ordinality e (value, number)
  loop
    perform portolan.check_style_members(relation, 'class', v_class, v_class_path);
    foreach v_list in array array['styles', 'labels'] loop
      continue when coalesce(v_class -> v_list, 'null') = 'null';
      if jsonb_typeof(v_class -> v_list) <> 'array' then
        raise exception '%.%: expected a list', v_class_path, v_list using errcode = 'PX400';
      end if;
      if jsonb_array_length(v_class -> v_list) > 20 then
        raise exception '%.%: a list of more than 20', v_class_path, v_list using errcode = 'PX400';
      end if;
      for v_part, v_part_path in
        select e.value, format('%s.%s[%s]', v_class_path, v_list, e.number - 1)
        from jsonb_array_elements(v_class -> v_list) with ordinality e (value, number)
      loop
        perform portolan.check_style_members(relation, v_list, v_part, v_part_path);
      end loop;
    end loop;
  end loop;
end
$$;

COMMENT ON FUNCTION portolan.check_style(relation regclass, style jsonb) IS 'Refuses a style that is not right.';

CREATE FUNCTION portolan.check_style_members(relation regclass, object text, value jsonb, path text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_members jsonb := case object
    when 'class' then '{"name": "name", "where": "where", "minScale": "scale", "maxScale": "scale", "styles": "list", "labels": "list"}'
    when 'styles' then '{"color": "color", "outlineColor": "color", "width": [0, 500], "symbol": ["circle", "square", "triangle", "diamond", "star", "cross", "x", "hatch"], "size": [0, 500], "pattern": "pattern", "angle": [-360, 360], "opacity": [0, 100]}'
    else '{"text": "text", "size": [4, 100], "color": "color", "outlineColor": "color", "position": ["auto", "follow", "ul", "uc", "ur", "cl", "cc", "cr", "ll", "lc", "lr"], "minScale": "scale", "maxScale": "scale"}'
  end;
  v_needed text := case object when 'class' then 'name' when 'labels' then 'text' end;
  v_name text;
  v_given jsonb;
  v_expected text;
begin
  if jsonb_typeof(value) is distinct from 'object' then
    raise exception '%: expected an object', path using errcode = 'PX400';
  end if;
  for v_name, v_given in select e.key, e.value from jsonb_each(value) e loop
    if not v_members ? v_name then
      raise exception '%: there is no "%"; there are %', path, v_name,
        (select string_agg(k, ', ') from jsonb_object_keys(v_members) k) using errcode = 'PX400';
    end if;
    continue when v_given = 'null' or v_members ->> v_name = 'list';
    if v_members ->> v_name = 'where' then
      perform portolan.check_style_where(relation, v_given, path || '.where');
      continue;
    end if;
    v_expected := portolan.check_style_value(relation, v_members -> v_name, v_given);
    if v_expected is not null then
      raise exception '%.%: expected %, got %', path, v_name, v_expected, left(v_given::text, 60) using errcode = 'PX400';
    end if;
  end loop;
  if coalesce(value -> v_needed, 'null') = 'null' and v_needed is not null then
    raise exception '%: % is missing', path, v_needed using errcode = 'PX400';
  end if;
  if (value ->> 'minScale')::float8 >= (value ->> 'maxScale')::float8 then
    raise exception '%.maxScale: expected more than minScale', path using errcode = 'PX400';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.check_style_members(relation regclass, object text, value jsonb, path text) IS 'Refuses a member of a style that is unknown, missing or of a bad value.';

CREATE FUNCTION portolan.check_style_operand(relation regclass, column_name text, kind text, operator text, operand jsonb, path text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_type text;
  v_is_tried boolean;
  v_value jsonb;
  v_takes text[] := case kind
    when 'integer' then '{number,string}'
    when 'decimal' then '{number,string}'
    when 'boolean' then '{boolean}'
    else '{string}'
  end;
begin
  case operator
    when 'isnull' then
      if jsonb_typeof(operand) <> 'boolean' then
        raise exception '%: expected true or false', path using errcode = 'PX400';
      end if;
      return;
    when 'like', 'ilike', 'startswith', 'endswith' then
      if kind <> 'text' or jsonb_typeof(operand) <> 'string' then
        raise exception '%: expected a pattern, a prefix or a suffix, for a column of text', path using errcode = 'PX400';
      end if;
      return;
    when 'in', 'nin' then
      if jsonb_typeof(operand) <> 'array' or jsonb_array_length(operand) > 10000 then
        raise exception '%: expected a list of at most 10000 values', path using errcode = 'PX400';
      end if;
    when 'eq', 'neq' then
      null;
    when 'gt', 'gte', 'lt', 'lte' then
      if operand = 'null' then
        raise exception '%: expected a value, got null', path using errcode = 'PX400';
      end if;
    else
      raise exception '%: there is no operator "%"; there are eq, neq, gt, gte, lt, lte, in, nin, like, ilike, startsWith, endsWith, isNull',
        path, operator using errcode = 'PX400';
  end case;
  -- values are tried only on types that nobody but PostgreSQL itself made: a domain's check is somebody's code
  select format_type(b.oid, null), b.typnamespace = 'pg_catalog'::regnamespace or b.typtype = 'e'
  into v_type, v_is_tried
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
  where a.attrelid = relation and a.attname = column_name and a.attnum > 0;
  for v_value in
    select e from jsonb_array_elements(case operator when 'in' then operand when 'nin' then operand
      else jsonb_build_array(operand) end) e
  loop
    continue when v_value = 'null';
    if not jsonb_typeof(v_value) = any (v_takes)
      or kind = 'integer' and v_value #>> '{}' !~ '^\s*[-+]?\d+\s*$'
      or kind = 'decimal' and v_value #>> '{}' ~* '0x'
    then
      raise exception '%: expected a value of type %, got %', path, v_type, v_value using errcode = 'PX400';
    end if;
    continue when not v_is_tried;
    begin
      execute format('select %L::%s', v_value #>> '{}', v_type);
    exception
      when data_exception then
        raise exception '%: expected a value of type %, got %', path, v_type, v_value using errcode = 'PX400';
    end;
  end loop;
end
$_$;

COMMENT ON FUNCTION portolan.check_style_operand(relation regclass, column_name text, kind text, operator text, operand jsonb, path text) IS 'Refuses what one comparison in the condition of a style cannot take.';

CREATE FUNCTION portolan.check_style_value(relation regclass, kind jsonb, value jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_text text := case when jsonb_typeof(value) = 'string' then value #>> '{}' end;
  v_number numeric := case when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric end;
  v_column text := portolan.style_column(relation, v_text);
begin
  if jsonb_typeof(kind -> 0) = 'number' then
    if v_column in ('integer', 'decimal') or v_number between (kind ->> 0)::numeric and (kind ->> 1)::numeric then
      return null;
    end if;
    return format('a number from %s to %s, or the name of a column of numbers', kind -> 0, kind -> 1);
  elsif jsonb_typeof(kind) = 'array' then
    if kind ? v_text then
      return null;
    end if;
    return 'one of ' || (select string_agg(k, ', ') from jsonb_array_elements_text(kind) k);
  end if;
  case kind #>> '{}'
    when 'name' then
      if v_text ~ '\S' and length(v_text) <= 100 then
        return null;
      end if;
      return 'a text of 1 to 100 characters';
    when 'scale' then
      if v_number between 0.000001 and 1e12 then
        return null;
      end if;
      return 'the denominator of a scale, such as 50000';
    when 'color' then
      if v_text ~ '^#[0-9A-Fa-f]{6}$' or v_column = 'text' then
        return null;
      end if;
      return 'a colour, #RRGGBB, or the name of a column of such';
    when 'pattern' then
      if jsonb_typeof(value) = 'array' and jsonb_array_length(value) in (2, 4, 6, 8, 10) and not exists (
        select from jsonb_array_elements(value) e
        where case jsonb_typeof(e) when 'number' then not (e #>> '{}')::numeric between 0.000001 and 500 else true end
      ) then
        return null;
      end if;
      return 'lengths of dashes and gaps in turn, 2 to 10 numbers';
    when 'text' then
      if v_column <> 'other' or v_column is null and v_text ~ '\{' and not exists (
        select from regexp_matches(v_text, '\{([^{}]*)\}', 'g') m
        where coalesce(portolan.style_column(relation, m[1]), 'other') = 'other'
      ) then
        return null;
      end if;
      return 'the name of a column, or text with {column} in it';
  end case;
end
$_$;

COMMENT ON FUNCTION portolan.check_style_value(relation regclass, kind jsonb, value jsonb) IS 'What a value in a style should have been.';

CREATE FUNCTION portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer DEFAULT 1) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_key text;
  v_value jsonb;
  v_kind text;
  v_operator text;
  v_operand jsonb;
  v_path text;
begin
  if depth > 12 then
    raise exception '%: nested deeper than 12', path using errcode = 'PX400';
  end if;
  if jsonb_typeof(filter) is distinct from 'object' then
    raise exception '%: expected a filter object', path using errcode = 'PX400';
  end if;
  -- as the filter language has it: comparisons, logical operators and elements of their lists
  if depth = 1 and 1000 < (
    select count(*) + count(distinct m -> 'id')
    from jsonb_path_query(filter, 'strict $.** ? (@.type() == "object").keyvalue()') m)
  then
    raise exception '%: a filter of more than 1000 parts', path using errcode = 'PX400';
  end if;
  for v_key, v_value in select key, value from jsonb_each(filter) loop
    v_path := path || '.' || v_key;
    v_kind := portolan.style_column(relation, v_key);
    if v_kind is null then
      case
        when lower(v_key) = 'not' or lower(v_key) in ('and', 'or') and jsonb_typeof(v_value) = 'object' then
          perform portolan.check_style_where(relation, v_value, v_path, depth + 1);
        when lower(v_key) in ('and', 'or') and jsonb_typeof(v_value) = 'array' then
          perform portolan.check_style_where(relation, e.value, format('%s[%s]', v_path, e.number - 1), depth + 1)
          from jsonb_array_elements(v_value) with ordinality e (value, number);
        when lower(v_key) in ('and', 'or') then
          raise exception '%: expected a list of filter objects', v_path using errcode = 'PX400';
        else
          raise exception '%: there is no column or logical operator "%"', path, v_key using errcode = 'PX400';
      end case;
      continue;
    end if;
    if v_kind = 'other' then
      raise exception '%: a style compares columns of simple types only', v_path using errcode = 'PX400';
    end if;
    if v_value = '{}' then
      raise exception '%: expected a value or at least one operator, got {}', v_path using errcode = 'PX400';
    end if;
    for v_operator, v_operand in
      select e.key, e.value
      from jsonb_each(case jsonb_typeof(v_value) when 'object' then v_value else jsonb_build_object('eq', v_value) end) e
    loop
      perform portolan.check_style_operand(
        relation, v_key, v_kind, lower(v_operator), v_operand,
        case jsonb_typeof(v_value) when 'object' then v_path || '.' || v_operator else v_path end);
    end loop;
  end loop;
end
$_$;

COMMENT ON FUNCTION portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer) IS 'Refuses a condition of a style that is not right.';

CREATE FUNCTION portolan.check_versioning(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_class record;
begin
  perform portolan.check_recorded(relation, 'history is kept');
  select c.relname, n.nspname into v_class
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not exists (select from pg_constraint k where k.conrelid = relation and k.contype = 'p') then
    raise exception '% has no primary key, by which versions of a row could be told', relation using errcode = 'PX400';
  elsif exists (
    select from pg_namespace n
    where n.nspname = v_class.nspname || '__history'
      and not exists (select from portolan.history_schemas h where h.name = n.nspname))
  then
    raise exception 'the schema %__history is there already, and is not Portolan''s: rename it', v_class.nspname
      using errcode = 'PX400';
  elsif octet_length(v_class.nspname) > 54 or octet_length(v_class.relname) > 57 then
    raise exception 'the names of % are too long for those of its history', relation using errcode = 'PX400';
  elsif exists (
    select from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and a.attname in (
        'portolan_from', 'portolan_to', 'portolan_tx', 'portolan_by', 'portolan_ended_by', 'portolan_version'))
  then
    raise exception '% has a column whose name the history needs', relation using errcode = 'PX400';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.check_versioning(relation regclass) IS 'Refuses a relation whose history cannot be kept.';

CREATE FUNCTION portolan.check_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_class record;
begin
  perform portolan.check_relation(relation);
  select c.relkind, c.relispartition, c.relpersistence into v_class from pg_class c where c.oid = relation;
  if v_class.relkind not in ('r', 'p') then
    raise exception '% is no table', relation using errcode = 'PX400';
  elsif v_class.relispartition then
    raise exception '% is a partition: workflow is of %', relation, pg_partition_root(relation) using errcode = 'PX400';
  elsif v_class.relkind = 'r' and exists (
    select from pg_inherits i where i.inhrelid = relation or i.inhparent = relation)
  then
    raise exception '% has parents or children by INHERITS, where one row belongs to several tables', relation
      using errcode = 'PX400';
  elsif exists (
    select from pg_attribute a
    where a.attrelid = relation and not a.attisdropped
      and (a.attname = 'portolan_status' and a.atttypid <> 'smallint'::regtype
        or a.attname = 'portolan_workflow' and a.atttypid <> 'jsonb'::regtype))
  then
    raise exception '% has a column portolan_status or portolan_workflow of another type', relation using errcode = 'PX400';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.check_workflow(relation regclass) IS 'Refuses a relation that can have no workflow.';

CREATE FUNCTION portolan.class_bounds("values" text, method text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  case method
    when 'equal' then
      return format(
        $sql$
        select array_agg(distinct b order by b)
        from (select min(x.v)::numeric as least, max(x.v)::numeric as most from %s) e,
          lateral (
            select case when i in (0, $1) then e.least + (e.most - e.least) * (i / $1) else
              round(e.least + (e.most - e.least) * i / $1, 4 - ceil(log(greatest(e.most - e.least, 1e-100)))::integer) end as b
            from generate_series(0, $1) i
          ) bounds
        where b is not null
        $sql$,
        "values");
    when 'quantile' then
      return format(
        $sql$
        select (select array_agg(distinct b::numeric order by b::numeric) from unnest(p.bounds) b)
        from (
          select percentile_disc(array(select i::float8 / $1 from generate_series(0, $1) i)) within group (order by x.v) as bounds
          from %s
        ) p
        $sql$,
        "values");
    else
      if portolan.postgis_schema() is null then
        raise exception 'method: natural needs PostGIS' using errcode = 'PX400';
      end if;
      return format(
        $sql$
        with sample as (
          select distinct unnest(percentile_disc(array(select i / 999.0::float8 from generate_series(0, 999) i))
            within group (order by x.v))::numeric as v
          from %1$s
        ), clusters as (
          select s.v,
            %2$I.st_clusterkmeans(%2$I.st_makepoint(s.v::float8, 0), least($1, (select count(*) from sample))::integer) over () as c
          from sample s
        )
        select array_agg(distinct b order by b)
        from (select min(v) as b from clusters group by c union all select max(v) from clusters) bounds
        where b is not null
        $sql$,
        "values", portolan.postgis_schema());
  end case;
end
$_$;

COMMENT ON FUNCTION portolan.class_bounds("values" text, method text) IS 'SQL that gives the bounds of classes.';

CREATE FUNCTION portolan.classes(relation regclass, column_name text, most integer DEFAULT 5, method text DEFAULT 'quantile'::text) RETURNS TABLE(lower jsonb, upper jsonb, count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_column
declare
  v_kind text := portolan.style_column(relation, column_name);
  v_values text := format('(select t.%1$I as v from %2$s t where t.%1$I is not null) x', column_name, relation);
  v_bounds numeric[];
begin
  if v_kind is null or not has_column_privilege(relation, column_name, 'select') then
    raise exception 'there is no column "%"', column_name using errcode = 'PX400';
  elsif most is null or most not between 1 and 100 then
    raise exception 'count: a number from 1 to 100' using errcode = 'PX400';
  elsif v_kind = 'other' then
    raise exception 'the values of the column "%" cannot be drawn by', column_name using errcode = 'PX400';
  elsif method = 'unique' then
    return query execute format(
      'select to_jsonb(x.v), to_jsonb(x.v), count(*) from %s group by x.v order by 3 desc, x.v limit $1', v_values)
      using most;
    return;
  elsif method is null or method not in ('equal', 'quantile', 'natural') then
    raise exception 'method: one of equal, quantile, natural, unique' using errcode = 'PX400';
  elsif v_kind not in ('integer', 'decimal') then
    raise exception 'the column "%" has no numbers: the method must be unique', column_name using errcode = 'PX400';
  end if;
  v_values := format('%s where x.v::numeric > ''-infinity'' and x.v::numeric < ''infinity''', v_values);
  execute portolan.class_bounds(v_values, method) into v_bounds using most;
  if cardinality(v_bounds) = 1 then
    v_bounds := v_bounds || v_bounds;
  end if;
  return query execute format(
    $sql$
    select to_jsonb($1[c.number]), to_jsonb($1[c.number + 1]), coalesce(n.count, 0)
    from generate_series(1, cardinality($1) - 1) c (number)
      left join (
        select least(greatest(width_bucket(x.v::numeric, $1), 1), cardinality($1) - 1) as number, count(*) as count
        from %s
        group by 1
      ) n using (number)
    order by c.number
    $sql$,
    v_values)
    using v_bounds;
end
$_$;

COMMENT ON FUNCTION portolan.classes(relation regclass, column_name text, most integer, method text) IS 'Breaks of a column''s values into classes: equal, quantile, natural or unique.';

CREATE FUNCTION portolan.clear_event_functions() RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'portolan'::regnamespace and p.proname like 'tg\_%\_\_emit\_event'
      and not exists (select from pg_trigger t where t.tgfoid = p.oid)
  loop
    execute format('drop function %s', v_function);
  end loop;
end
$$;

COMMENT ON FUNCTION portolan.clear_event_functions() IS 'Drops the trigger functions of events that no trigger calls.';

CREATE FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  v_cut bigint;
  v_batches bigint := 0;
  v_rows bigint := 0;
begin
  select max(o.n) into v_cut
  from (
    select b.n, b.at, b.total
    from portolan.batches b
    where b.n < (select max(l.n) from portolan.batches l)
    order by b.n
    limit 10000
  ) o
  where o.at < clock_timestamp() - make_interval(secs => max_age_ms / 1000)
    or o.total < (select l.total from portolan.batches l order by l.n desc limit 1) - max_bytes;
  -- batches first: from then on nobody takes for complete what is about to be cleared
  if v_cut is not null then
    delete from portolan.batches b where b.n < v_cut;
    get diagnostics v_batches = row_count;
  end if;
  -- what the oldest kept snapshot has seen is in no batch that is kept
  delete from portolan.outbox o
  where o.ctid = any (array(
    select e.ctid
    from portolan.outbox e
    where e.xid < (select pg_snapshot_xmin(b.snapshot) from portolan.batches b order by b.n limit 1)
    limit 10000));
  get diagnostics v_rows = row_count;
  return v_batches >= 9999 or v_rows = 10000;
end
$$;

COMMENT ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) IS 'Clears change events that are too old or too many.';

CREATE FUNCTION portolan.clear_expired(audit_days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform from portolan.settings s where s.name = 'own_sql_secret' for update skip locked;
  if not found then
    return;
  end if;
  delete from portolan.authorization_codes c where c.family is null and c.expires_at < now() - interval '1 minute';
  delete from portolan.device_requests d where d.family is null and d.expires_at < now() - interval '1 hour';
  delete from portolan.refresh_tokens t where t.rotated_at < now() - interval '1 minute';
  delete from portolan.token_families f where f.expires_at < now() - interval '1 minute';
  delete from portolan.sessions s where s.expires_at < now();
  delete from portolan.one_time_links l where l.expires_at < now();
  delete from portolan.lockouts l where l.last_failure_at < now() - interval '1 hour' and l.locked_until < now();
  delete from portolan.known_addresses k where k.signed_in_at < now() - interval '31 days';
  delete from portolan.request_minutes m where m.minute < now() - interval '24 hours';
  delete from portolan.requests r
  using (select max(l.number) as number from portolan.requests l) latest
  where r.at < now() - interval '24 hours'
    or r.number <= latest.number - case when r.error_id is null then 100000 else 1000000 end;
  delete from portolan.audit a where a.at < now() - make_interval(days => audit_days);
  if exists (select from portolan.signing_keys k where k.retired_at < now() - interval '30 days') then
    delete from portolan.signing_keys k
    where k.retired_at < now() - greatest(
      interval '30 days',
      make_interval(secs => (
        select max(greatest(c.refresh_token_lifetime_seconds, c.access_token_lifetime_seconds)) from portolan.clients c)));
  end if;
end
$$;

COMMENT ON FUNCTION portolan.clear_expired(audit_days integer) IS 'Removes what has expired.';

CREATE FUNCTION portolan.close_history(history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_grantee oid;
begin
  execute format(
    'update %s h set portolan_to = greatest(now(), h.portolan_from + interval ''1 microsecond''), '
    'portolan_ended_by = session_user where h.portolan_to = ''infinity''', history);
  for v_grantee in
    select distinct a.grantee
    from pg_class c, aclexplode(c.relacl) a
    where c.oid = history and a.grantee <> c.relowner
    union
    select a.grantee from pg_attribute t, aclexplode(t.attacl) a where t.attrelid = history
  loop
    execute format('revoke all on table %s from %s', history, portolan.role_sql(v_grantee));
  end loop;
end
$$;

COMMENT ON FUNCTION portolan.close_history(history regclass) IS 'Ends all open versions of a twin that is not kept any more.';

CREATE FUNCTION portolan.close_relation(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_problems text;
begin
  if not exists (
      select from portolan.wanted_rules() w
      where w.relation = close_relation.relation and w not in (
        select m from portolan.rule_map m where m.relation = close_relation.relation))
    and not exists (select from portolan.unprotected_relations() u where u.relation = close_relation.relation)
  then
    return;
  end if;
  select string_agg(f.problem, '; ') into v_problems from portolan.compile() f;
  if exists (select from portolan.unprotected_relations() u where u.relation = close_relation.relation) then
    raise exception 'the rules for % do not hold yet: %', relation, coalesce(
      v_problems, (select s.problem from portolan.row_security s where s.relation = close_relation.relation))
      using errcode = 'PX409';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.close_relation(relation regclass) IS 'Makes sure that the rules for a table hold.';

CREATE FUNCTION portolan.collections(schemas text[]) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive postgis as (
    select e.extnamespace as namespace from pg_extension e where e.extname = 'postgis'
  ), spatial as (
    select t.oid
    from pg_type t join postgis p on p.namespace = t.typnamespace
    where t.typname in ('geometry', 'geography')
    union
    select d.oid from spatial s join pg_type d on d.typbasetype = s.oid
  ), own as (
    select c.oid, n.nspname, c.relname, c.relkind, c.relnamespace, c.relrowsecurity
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (schemas)
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and (
        exists (
          select from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid in (select oid from spatial))
        or exists (select from portolan.rasters f where f.relation = c.oid))
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      and not (c.relispartition and exists (
        select from pg_class r join pg_namespace rn on rn.oid = r.relnamespace
        where r.oid = pg_partition_root(c.oid) and rn.nspname = any (schemas)))
  ), foreign_keys as (
    select k.conrelid, k.confrelid, k.conkey, k.confkey
    from pg_constraint k
    where k.contype = 'f' and k.conparentid = 0
      and (k.conrelid in (select oid from own) or k.confrelid in (select oid from own))
  ), relations as (
    select * from own
    union
    select c.oid, n.nspname, c.relname, c.relkind, c.relnamespace, c.relrowsecurity
    from foreign_keys k
      join pg_class c on c.oid in (k.conrelid, k.confrelid)
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (schemas)
  )
  select jsonb_build_object(
    'postgis', (select n.nspname from postgis p join pg_namespace n on n.oid = p.namespace),
    'unaccent', (
      select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'unaccent'),
    'trigrams', (
      select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'),
    'foreignKeys', coalesce((
      select jsonb_agg(jsonb_build_object(
        'from', k.conrelid::int8, 'columns', k.conkey, 'to', k.confrelid::int8, 'key', k.confkey))
      from foreign_keys k), '[]'),
    'types', (
      select coalesce(jsonb_object_agg(y.oid, to_jsonb(y) || jsonb_build_object(
        'oid', y.oid::bigint, 'element', y.element::bigint,
        'modifier', (select t.typtypmod from pg_type t where t.oid = y.oid))), '{}')
      from portolan.type_catalogue(array(
        select distinct a.atttypid from relations r join pg_attribute a on a.attrelid = r.oid
        where a.attnum > 0 and not a.attisdropped)) y),
    'relations', coalesce((
      select jsonb_agg(jsonb_build_object(
        'oid', r.oid::int8,
        'schema', r.nspname,
        'name', r.relname,
        'kind', r.relkind,
        'rowSecurity', r.relrowsecurity,
        'comment', obj_description(r.oid, 'pg_class'),
        'raster', (select f.file from portolan.rasters f where f.relation = r.oid),
        'style', (select s.style::text from portolan.styles s where s.relation = r.oid),
        'key', coalesce((
          select to_jsonb(k.conkey) from pg_constraint k where k.conrelid = r.oid and k.contype = 'p'), '[]'),
        'columns', (
          select jsonb_agg(jsonb_build_object(
            'number', a.attnum,
            'name', a.attname,
            'type', a.atttypid::int8,
            'modifier', a.atttypmod,
            'spatial', a.atttypid in (select oid from spatial),
            'notNull', a.attnotnull,
            -- columns of workflow and history are called portolan_…
            'readOnly', a.attgenerated <> '' or a.attidentity = 'a' or r.relkind = 'm' or starts_with(a.attname, 'portolan_'),
            'hasDefault', a.atthasdef or a.attidentity <> ''
              or (select t.typdefault is not null from pg_type t where t.oid = a.atttypid),
            'references', (
              select jsonb_agg(jsonb_build_object('relation', k.confrelid::int8, 'column', k.confkey[1]) order by k.conname)
              from pg_constraint k
              where k.conrelid = r.oid and k.contype = 'f' and k.conkey = array[a.attnum]),
            -- col_description is planned anew for each column
            'comment', (
              select d.description from pg_description d
              where d.classoid = 'pg_class'::regclass and d.objoid = r.oid and d.objsubid = a.attnum)) order by a.attnum)
          from pg_attribute a where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped))
        order by r.nspname collate "C", r.relname collate "C")
      from relations r), '[]'))
$$;

COMMENT ON FUNCTION portolan.collections(schemas text[]) IS 'What the gateway must know of the tables and views with a geometry, and of those related to them.';

CREATE FUNCTION portolan.column_ddl(change jsonb, relation text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_column text := portolan.identifier(coalesce(change ->> 'column', change ->> 'name'));
  v_alter text := format('alter table %s alter column %s ', relation, v_column);
begin
  case change ->> 'op'
    when 'add_column' then
      return format('alter table %s add column %s;', relation, portolan.column_sql(change))
        || case when change ->> 'comment' is null then ''
          else format(E'\ncomment on column %s.%s is %L;', relation, v_column, change ->> 'comment') end;
    when 'drop_column' then
      return format('alter table %s drop column %s;', relation, v_column);
    when 'alter_column' then
      return nullif(concat_ws(
        E'\n',
        case when change ? 'type' then
          v_alter || format('type %1$s using %2$s::%1$s;', portolan.column_type(change ->> 'type'), v_column) end,
        case change -> 'nullable' when 'true' then v_alter || 'drop not null;' when 'false' then v_alter || 'set not null;' end,
        case jsonb_typeof(change -> 'default')
          when 'null' then v_alter || 'drop default;'
          when 'object' then v_alter || format('set default %s;', portolan.default_sql(change -> 'default'))
        end,
        case when change ? 'name' then
          format('alter table %s rename column %s to %s;', relation, v_column, portolan.identifier(change ->> 'name')) end), '');
  end case;
end
$_$;

COMMENT ON FUNCTION portolan.column_ddl(change jsonb, relation text) IS 'SQL that adds, alters or drops a column.';

CREATE FUNCTION portolan.column_sql(wanted jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return concat_ws(
    ' ',
    portolan.identifier(wanted ->> 'name'),
    portolan.column_type(wanted ->> 'type'),
    case when wanted -> 'identity' = 'true' then 'generated by default as identity' end,
    case when jsonb_typeof(wanted -> 'default') = 'object' then 'default ' || portolan.default_sql(wanted -> 'default') end,
    case when wanted -> 'nullable' = 'false' then 'not null' end);
end
$$;

COMMENT ON FUNCTION portolan.column_sql(wanted jsonb) IS 'A column as CREATE TABLE writes it.';

CREATE FUNCTION portolan.column_type(type text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_parts text[] := regexp_match(type, '^\s*([^()\[\]]+?)\s*(?:\(\s*(-?\w+(?:\s*,\s*-?\w+)*)\s*\))?\s*((?:\[\])*)\s*$');
  v_type regtype;
  v_text text;
begin
  begin
    perform set_config('search_path', concat_ws(', ', 'pg_catalog', quote_ident(portolan.postgis_schema()::text), 'pg_temp'), true);
    v_type := to_regtype(v_parts[1]);
    perform set_config('search_path', 'pg_catalog, pg_temp', true);
    if v_type is null or exists (select from pg_type t where t.oid = v_type and t.typtype = 'p') then
      raise undefined_object;
    end if;
    v_text := v_type::text;
    if v_parts[2] is not null then
      v_text := case when v_text ~ ' time zone$' then regexp_replace(v_text, ' ', format('(%s) ', v_parts[2]))
        else format('%s(%s)', v_text, v_parts[2]) end;
    end if;
    v_text := v_text || v_parts[3];
    execute 'select null::' || v_text; -- modifiers that it does not take show here
  exception
    when undefined_object or syntax_error or data_exception or feature_not_supported or undefined_function or internal_error then
      raise exception 'there is no type %', quote_nullable(left(type, 200)) using errcode = 'PX400';
  end;
  return v_text;
end
$_$;

COMMENT ON FUNCTION portolan.column_type(type text) IS 'A type as SQL writes it.';

CREATE FUNCTION portolan.compile(written integer[] DEFAULT NULL::integer[]) RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS $$
#variable_conflict use_column
declare
  v_wanted portolan.rule_map[];
  v_relation regclass;
  v_following text := current_setting('portolan.following', true);
begin
  perform set_config('portolan.following', 'on', true); -- the event trigger need not follow what is done here
  if written is null then
    perform set_config('lock_timeout', '300ms', true);
  end if;
  v_wanted := array(select w from portolan.wanted_rules() w);
  if exists (
    (select m from portolan.rule_map m except select w from unnest(v_wanted) w)
    union all
    (select w from unnest(v_wanted) w except select m from portolan.rule_map m))
  then
    delete from portolan.rule_map m where m not in (select w from unnest(v_wanted) w);
    insert into portolan.rule_map select w.* from unnest(v_wanted) w on conflict do nothing;
  end if;
  delete from portolan.workflow_tables w where not exists (select from pg_class c where c.oid = w.relation);
  delete from portolan.workflow_roles w where not exists (select from pg_class c where c.oid = w.relation);
  delete from portolan.row_security s where not exists (select from pg_class c where c.oid = s.relation);
  for v_relation in
    select u.relation from portolan.unprotected_relations() u where u.changed or written is null
  loop
    begin
      perform portolan.protect(v_relation, written);
    exception
      when lock_not_available or deadlock_detected then
        if written is not null then
          raise exception '% is in use: try again', v_relation using errcode = 'lock_not_available';
        end if;
        problem := format('%s is in use', v_relation);
        busy := true;
        return next;
      when insufficient_privilege then
        if written is not null then
          raise exception 'Portolan may not give % row level security: run grant % to %; or alter table % owner to %;',
            v_relation, (select quote_ident(pg_get_userbyid(c.relowner)) from pg_class c where c.oid = v_relation),
            quote_ident(current_user), v_relation, quote_ident(current_user)
            using errcode = 'insufficient_privilege';
        end if;
        problem := format('Portolan does not own %s: the rules for it do not hold', v_relation);
        busy := false;
        return next;
      when others then
        if written is not null then
          raise;
        end if;
        problem := format('%s: %s', v_relation, sqlerrm);
        busy := false;
        return next;
    end;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.compile(written integer[]) IS 'Makes true in PostgreSQL what rules and workflow say.';

CREATE FUNCTION portolan.configuration() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with settings (relation, name, value) as (
    select a.relation, 'authentication', to_jsonb(a.level) from portolan.authentication a
    union all
    select p.relation, 'privileges', jsonb_object_agg(p.user_name, p.privilege) from portolan.privileges p group by 1
    union all
    select s.relation, 'style', s.style from portolan.styles s
    union all
    select e.relation, 'events', to_jsonb(e.setting) from portolan.event_tables e where e.setting is not null
    union all
    select v.relation, 'versioning', to_jsonb(v.active) from portolan.versioned_tables v where v.active
    union all
    select w.relation, 'workflow', 'true' from portolan.workflow_tables w
    union all
    select r.relation, 'workflow_roles', jsonb_object_agg(r.user_name, ('{author,reviewer,publisher}'::text[])[r.level])
    from portolan.workflow_roles r group by 1
  )
  select jsonb_build_object(
    'accounts', coalesce((
      select jsonb_object_agg(u.name, jsonb_build_object(
          'email', u.email, 'user_group', u.user_group, 'properties', u.properties, 'superuser', u.superuser)
        || case when u.role_made then '{}' else jsonb_build_object('role', u.role) end)
      from portolan.users u
      where u.name <> 'anonymous'), '{}'),
    'clients', coalesce((
      select jsonb_object_agg(c.id, to_jsonb(c) - '{id,secret_hash,created_at}'::text[]) from portolan.clients c), '{}'),
    'rules', coalesce((select jsonb_object_agg(r.id::text, to_jsonb(r) - 'id') from portolan.rules r), '{}'),
    'methods', coalesce((
      select jsonb_object_agg(m.method, to_jsonb(m)
        - '{method,input_schema,output_schema,relations,relations_stamp,created_at}'::text[])
      from portolan.methods m), '{}'),
    'rasters', coalesce((
      select jsonb_object_agg(r.relation::text, r.file)
      from portolan.rasters r join pg_class c on c.oid = r.relation), '{}'),
    'tables', coalesce((
      select jsonb_object_agg(t.relation::text, t.settings)
      from (select s.relation, jsonb_object_agg(s.name, s.value) as settings from settings s group by 1) t
        join pg_class c on c.oid = t.relation), '{}'))
$$;

COMMENT ON FUNCTION portolan.configuration() IS 'What an operator sets in this database, as one JSON document without secrets.';

CREATE FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean DEFAULT false) RETURNS TABLE(kind text, name text, member text, action text, before jsonb, after jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with changes as (
    select kind, name, member, n.value as before,
      case when jsonb_typeof(w.value) = 'object' and n.value is not null and member = '' then n.value || w.value else w.value end
        as after
    from portolan.configuration_entries(portolan.configuration()) n
      full join portolan.configuration_entries(configuration) w using (kind, name, member)
    where w.value is not null
      or prune and configuration ? case when kind in ('privileges', 'workflow_roles') then 'tables' else kind end
  )
  select c.kind, c.name, c.member,
    case when c.before is null then 'create' when c.after is null then 'remove' else 'change' end,
    c.before, c.after
  from changes c
  where c.before is distinct from c.after
    -- what is set to what it is by default
    and not (c.before is null and c.after in ('null', 'false', '"Read/write"', '"none"'))
  order by
    c.after is null desc,
    array_position('{accounts,clients,rasters,tables,privileges,workflow_roles,methods,rules}'::text[], c.kind)
      * case when c.after is null then -1 else 1 end,
    -- a group before its members
    c.kind = 'accounts' and c.after ->> 'user_group' is not null,
    c.name collate "C", c.member collate "C"
$$;

COMMENT ON FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean) IS 'What applying a configuration would change.';

CREATE FUNCTION portolan.configuration_entries(configuration jsonb) RETURNS TABLE(kind text, name text, member text, value jsonb)
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select k.kind, e.key, '', e.value
  from unnest('{accounts,clients,rules,methods,rasters}'::text[]) k (kind),
    jsonb_each(coalesce(configuration -> k.kind, '{}')) e
  union all
  select 'tables', t.key, s.key, s.value
  from jsonb_each(coalesce(configuration -> 'tables', '{}')) t, jsonb_each(t.value) s
  where s.key not in ('privileges', 'workflow_roles')
  union all
  select s.key, t.key, m.key, m.value
  from jsonb_each(coalesce(configuration -> 'tables', '{}')) t, jsonb_each(t.value) s, jsonb_each(s.value) m
  where s.key in ('privileges', 'workflow_roles')
$$;

COMMENT ON FUNCTION portolan.configuration_entries(configuration jsonb) IS 'A configuration as a list.';

CREATE FUNCTION portolan.constraint_sql(wanted jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_columns text := portolan.identifiers(wanted -> 'columns');
  v_actions constant text[] := '{no action,restrict,cascade,set null,set default}';
  v_to jsonb := wanted -> 'references';
  v_operator text := wanted ->> 'operator';
  v_name text := case when wanted ->> 'name' is not null then format('constraint %s ', portolan.identifier(wanted ->> 'name')) else '' end;
begin
  case wanted ->> 'kind'
    when 'primary_key' then
      return format('%sprimary key (%s)', v_name, v_columns);
    when 'unique' then
      return format('%sunique (%s)', v_name, v_columns);
    when 'foreign_key' then
      if not (coalesce(wanted ->> 'on_delete', 'no action') = any (v_actions)
        and coalesce(wanted ->> 'on_update', 'no action') = any (v_actions))
      then
        raise exception 'on_delete and on_update are one of: %', array_to_string(v_actions, ', ') using errcode = 'PX400';
      end if;
      return format('%sforeign key (%s) references %s.%s (%s)%s%s', v_name, v_columns, portolan.identifier(v_to ->> 'schema'),
        portolan.identifier(v_to ->> 'table'), portolan.identifiers(v_to -> 'columns'),
        ' on delete ' || (wanted ->> 'on_delete'), ' on update ' || (wanted ->> 'on_update'));
    when 'check' then
      if v_operator = 'in' then
        return format('%scheck (%s in (%s))', v_name, v_columns, (
          select string_agg(quote_literal(v), ', ') from jsonb_array_elements_text(wanted -> 'value') v));
      elsif v_operator = any ('{=,<>,<,<=,>,>=,~}') then
        return format('%scheck (%s %s %L)', v_name, v_columns, v_operator, wanted ->> 'value');
      end if;
      raise exception 'the operator of a check is =, <>, <, <=, >, >=, ~ or in' using errcode = 'PX400';
  end case;
end
$$;

COMMENT ON FUNCTION portolan.constraint_sql(wanted jsonb) IS 'A constraint as SQL writes it.';

CREATE FUNCTION portolan.copy_portion(relation regclass, member regclass, history regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_most_ms constant numeric := 50; -- a writer may wait for as long
  v_file text := pg_relation_filenode(member)::text;
  v_pages bigint := pg_relation_size(member) / current_setting('block_size')::integer;
  -- a table that was written anew (VACUUM FULL, CLUSTER) has its rows elsewhere
  v_from bigint := case when "position" ->> 'file' = v_file then ("position" ->> 'block')::bigint else 0 end;
  v_blocks bigint := ("position" ->> 'blocks')::bigint;
  v_to bigint := least(v_from + v_blocks, v_pages);
  -- numbers of transactions are those of one database, and of what was there when the triggers came and stands there still:
  -- a partition that came with its rows, and a rewritten table, have others
  v_fresh boolean := coalesce(
    "position" ->> 'fresh' = portolan.database_identity() and "position" -> 'files' ->> member::oid::text = v_file, false);
  v_insert text;
  v_began timestamptz := clock_timestamp();
begin
  select format(
    'insert into %s (%s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version) '
    'select %s, %%s, ''infinity'', %L::xid8, %L, %%s from only %s b %%s where b.ctid >= %L and b.ctid < %L and %%s',
    history, string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('b.%I', a.attname), ', ' order by a.attnum),
    pg_current_xact_id(), session_user, member, format('(%s,0)', v_from), format('(%s,0)', v_to))
  into v_insert
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if v_fresh then
    v_insert := format(v_insert, 'now()', '1', '', format('age(b.xmin) > age(%L::xid)', "position" ->> 'xid'));
  else
    v_insert := format(v_insert,
      'greatest(now(), m.portolan_to)', 'coalesce(m.portolan_version, 0) + 1',
      format('left join lateral (select h.portolan_to, h.portolan_version from %s h where %s '
        'order by h.portolan_version desc limit 1) m on true', history, (
          select string_agg(format('h.%1$I = b.%1$I', k), ' and ') from unnest(portolan.key_columns(relation)) k)),
      'm.portolan_to is distinct from ''infinity''');
  end if;
  begin
    execute v_insert;
    get diagnostics rows = row_count;
  exception
    when unique_violation then -- a writer was here at this very moment
      execute v_insert || ' on conflict do nothing';
      get diagnostics rows = row_count;
  end;
  next := "position" || jsonb_build_object(
    'file', v_file,
    'block', v_to,
    'blocks', greatest(1, least(v_blocks * 2, 65536, (v_blocks * v_most_ms
      / greatest(1, extract(epoch from clock_timestamp() - v_began) * 1000))::bigint)));
  if v_to >= v_pages then
    next := next - 'file' || jsonb_build_object('filled', next -> 'filled' || to_jsonb(member::oid::text));
  end if;
end
$_$;

COMMENT ON FUNCTION portolan.copy_portion(relation regclass, member regclass, history regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) IS 'Opens a version for each row in the next pages of a table.';

CREATE FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean DEFAULT false, confirm boolean DEFAULT true, grants text[] DEFAULT '{authorization_code,refresh_token,device_code}'::text[], homepage text DEFAULT NULL::text, description text DEFAULT NULL::text, refresh_reuse text DEFAULT 'refuse'::text, account text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_secret text;
begin
  if id is null or id !~ '^[A-Za-z0-9._~:@-]{1,100}$' then
    raise exception 'a client id is 1 to 100 of A-Z, a-z, 0-9 and ._~:@-' using errcode = 'PX400';
  end if;
  if 'client_credentials' = any (grants) and account is null then
    raise exception 'the grant client_credentials needs the account that the client acts as' using errcode = 'PX400';
  end if;
  if coalesce(refresh_reuse, 'refuse') not in ('refuse', 'allow') then
    raise exception 'refresh_reuse is refuse or allow' using errcode = 'PX400';
  end if;
  if exists (select from portolan.clients c where c.id = create_client.id) then
    raise exception 'the client "%" exists', id using errcode = 'PX409';
  end if;
  if not coalesce(public, false) then
    v_secret := portolan.new_secret();
  end if;
  insert into portolan.clients (id, name, redirect_uri, public, confirm, grants, homepage, description, refresh_reuse, account, secret_hash)
  values (
    id, name, redirect_uri, coalesce(public, false), coalesce(confirm, true),
    coalesce(grants, '{authorization_code,refresh_token,device_code}'), homepage, description,
    coalesce(refresh_reuse, 'refuse'), account, encode(sha256(convert_to(v_secret, 'UTF8')), 'hex'));
  return v_secret;
end
$_$;

COMMENT ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text, refresh_reuse text, account text) IS 'Registers an OAuth client. Returns its secret, which cannot be read again, or null for a public client.';

CREATE FUNCTION portolan.create_method(method text, q text, type_hints jsonb DEFAULT NULL::jsonb, type_formats jsonb DEFAULT NULL::jsonb, output_format text DEFAULT 'json'::text, srs integer DEFAULT 4326, description text DEFAULT NULL::text, timeout_ms integer DEFAULT NULL::integer, max_rows integer DEFAULT NULL::integer, cache_seconds integer DEFAULT NULL::integer) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into portolan.methods
    (method, q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds)
  values (
    method, q, type_hints, type_formats, coalesce(output_format, 'json'), coalesce(srs, 4326), description, timeout_ms,
    max_rows, cache_seconds);
  return method;
exception
  when unique_violation then
    raise exception 'the method "%" exists', method using errcode = 'PX409';
end
$$;

COMMENT ON FUNCTION portolan.create_method(method text, q text, type_hints jsonb, type_formats jsonb, output_format text, srs integer, description text, timeout_ms integer, max_rows integer, cache_seconds integer) IS 'Makes a stored method, callable by its name over JSON-RPC.';

CREATE FUNCTION portolan.create_raster(schema_name text, table_name text, file text) RETURNS regclass
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_raster_file(file);
  -- of the service's own schemas alone: who may make a raster there gets no right on anything else
  if schema_name is null or schema_name <> all (portolan.shown_schemas())
    or not exists (select from pg_namespace n where n.nspname = schema_name)
  then
    raise exception 'there is no schema "%"', schema_name using errcode = 'PX404';
  end if;
  if table_name is null or table_name = '' or octet_length(table_name) > 63 then
    raise exception 'a table name has 1 to 63 bytes' using errcode = 'PX400';
  end if;
  if to_regclass(format('%I.%I', schema_name, table_name)) is not null then
    raise exception '"%" exists in schema "%"', table_name, schema_name using errcode = 'PX409';
  end if;
  execute format('create table %I.%I (file text primary key)', schema_name, table_name);
  v_relation := format('%I.%I', schema_name, table_name)::regclass;
  execute format('insert into %s values (%L)', v_relation, file);
  insert into portolan.rasters (relation, file) values (v_relation, file);
  -- super users may see it at once
  execute format('grant select, insert, update, delete on %s to %I', v_relation, portolan.role_name('owner'));
  return v_relation;
end
$$;

COMMENT ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) IS 'Makes a collection of a GeoTIFF in the gateway''s raster folder.';

CREATE FUNCTION portolan.create_rule(rule jsonb) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_rule portolan.rules := portolan.rule_record(
    rule, '{"priority": 0, "username": "*", "service": "*", "request": "*", "schema": "*", "table": "*", "iprange": "*"}');
begin
  perform portolan.one_at_a_time();
  if v_rule.id is null then
    loop
      v_rule.id := nextval('portolan.rules_id_seq');
      exit when not exists (select from portolan.rules r where r.id = v_rule.id);
    end loop;
  elsif exists (select from portolan.rules r where r.id = v_rule.id) then
    raise exception 'rule % exists', v_rule.id using errcode = 'PX409';
  end if;
  insert into portolan.rules select v_rule.*;
  return v_rule.id;
end
$$;

COMMENT ON FUNCTION portolan.create_rule(rule jsonb) IS 'Makes a rule; returns its number.';

CREATE FUNCTION portolan.create_user(name text, password text, email text DEFAULT NULL::text, user_group text DEFAULT NULL::text, properties jsonb DEFAULT '{}'::jsonb, superuser boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_name text := portolan.account_name(name);
  v_role text := portolan.role_name(v_name);
  v_user portolan.users;
begin
  perform portolan.one_at_a_time();
  if v_name in ('owner', 'anonymous') then
    raise exception 'the account name "%" is reserved', v_name using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = v_name) then
    raise exception 'the account "%" exists', v_name using errcode = 'PX409';
  end if;
  if to_regrole(quote_ident(v_role)) is not null then
    raise exception 'the role "%" exists, but is no account', v_role
      using errcode = 'PX409', hint = 'portolan.adopt_role makes an account of a role that is there';
  end if;
  if user_group is not null and not exists (
    select from portolan.users u where u.name = lower(create_user.user_group) and u.name <> 'anonymous'
  ) then
    raise exception 'the group "%" is no account', user_group using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = lower(create_user.user_group) and u.superuser) then
    raise exception 'the group "%" is a super user: its members would be super users too', user_group using errcode = 'PX400';
  end if;
  if jsonb_typeof(coalesce(properties, '{}')) <> 'object' then
    raise exception 'properties must be a JSON object' using errcode = 'PX400';
  end if;
  execute format('create role %I nologin', v_role);
  insert into portolan.users (name, role, password, email, user_group, properties, superuser)
  values (v_name, v_role, portolan.hash_password(password), email, lower(user_group), coalesce(properties, '{}'),
    coalesce(superuser, false))
  returning * into v_user;
  perform portolan.join_roles(v_user);
  return v_role;
end
$$;

COMMENT ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) IS 'Makes an account. The password may be a text or an argon2, bcrypt or scrypt hash. Returns the name of its PostgreSQL role.';

CREATE FUNCTION portolan.cut_batch(own_term bigint) RETURNS TABLE(held boolean, in_flight text[], n bigint, snapshot text, at timestamp with time zone, last bigint, total bigint, relations oid[])
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
  -- One statement, so that what is counted and the snapshot that is kept are of the same moment. New is what the last
  -- snapshot did not see: ids from its upper end on, and those that were in flight. That costs the same however long
  -- another transaction has been open. Two readers cannot both be right: the key of the batches refuses the second.
  return query
  with reader as (
    select r.term = own_term as held from portolan.event_reader r
  ), previous as (
    select b.n, b.snapshot, b.total from portolan.batches b order by b.n desc limit 1
  ), fresh as materialized (
    select
      o.id, o.relation, o.shape,
      64 + coalesce(pg_column_size(o.old), 0) + coalesce(pg_column_size(o.new), 0) as bytes
    from portolan.outbox o
    where o.xid >= (select pg_snapshot_xmax(p.snapshot) from previous p)
      or o.xid = any (array(select pg_snapshot_xip(p.snapshot) from previous p))
  ), batch as (
    insert into portolan.batches (n, snapshot, last, events, total, relations)
    select
      p.n + 1,
      pg_current_snapshot(),
      max(f.id),
      count(*),
      p.total + 128 + sum(f.bytes),
      (select array_agg(distinct coalesce(pg_partition_root(d.relation)::oid, d.relation))
       from (select distinct g.relation from fresh g) d)
    from fresh f, previous p, reader r
    where r.held
    group by p.n, p.total
    returning *
  ), noted as (
    -- mostly by the first writer; not where its transaction was rolled back
    select portolan.note_shape(s.relation)
    from (select distinct f.relation, f.shape from fresh f where f.shape is not null) s
    where not exists (select from portolan.shapes k where k.relation = s.relation and k.stamp = s.shape)
  ), told as (
    select pg_notify('portolan_batch', '') from batch
  )
  select
    r.held,
    array(select x::text from pg_snapshot_xip(pg_current_snapshot()) x),
    b.n, b.snapshot::text, b.at, b.last, b.total, b.relations
  from reader r
    left join batch b on true
    left join told t on true
    join (select count(*) as shapes from noted) k on k.shapes >= 0; -- else it would not be executed
end
$$;

COMMENT ON FUNCTION portolan.cut_batch(own_term bigint) IS 'Gives the change events that became visible their place in the order.';

CREATE FUNCTION portolan.database_identity() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select format('%s %s', (select c.system_identifier from pg_control_system() c), d.oid)
  from pg_database d
  where d.datname = current_database()
$$;

COMMENT ON FUNCTION portolan.database_identity() IS 'Which database this is.';

CREATE FUNCTION portolan.default_sql(wanted jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_functions constant jsonb := '{"now": "now()", "current_date": "current_date", "gen_random_uuid": "gen_random_uuid()", "current_user": "current_user"}';
begin
  if wanted ? 'value' then
    return quote_nullable(wanted ->> 'value');
  elsif v_functions ? (wanted ->> 'function') then
    return v_functions ->> (wanted ->> 'function');
  end if;
  raise exception 'a default is {"value": …} or {"function": one of %}',
    (select string_agg(k, ', ') from jsonb_object_keys(v_functions) k) using errcode = 'PX400';
end
$$;

COMMENT ON FUNCTION portolan.default_sql(wanted jsonb) IS 'A default as SQL writes it.';

CREATE FUNCTION portolan.diff(relation regclass, since timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, most integer DEFAULT 100, skipped bigint DEFAULT 0) RETURNS TABLE(key text, change text, at timestamp with time zone, by text, before jsonb, after jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_history regclass := portolan.history_of(relation);
  v_key text[] := portolan.key_columns(relation);
  v_names boolean := has_column_privilege(v_history, 'portolan_by', 'select');
begin
  if since is null or since >= coalesce(until, 'infinity') then
    raise exception 'the first instant must be before the second' using errcode = 'PX400';
  end if;
  return query execute format(
    $sql$
    with gone as (
      select %1$s, %2$s as key, %3$s as record
      from %4$s h
      where h.portolan_from <= $1 and h.portolan_to > $1 and h.portolan_to <= $2
        and h.portolan_to <> 'infinity' and (select portolan.fresh_history(%5$L::regclass))
    ), come as (
      select %1$s, %2$s as key, %3$s as record, h.portolan_from as at, %6$s as by
      from %4$s h
      where h.portolan_from > $1 and h.portolan_from <= $2 and (h.portolan_to > $2 or h.portolan_to = 'infinity')
        and (select portolan.fresh_history(%5$L::regclass))
    )
    select
      coalesce(c.key, g.key),
      case when g.key is null then 'insert' when c.key is null then 'delete' else 'update' end,
      coalesce(c.at, l.at),
      portolan.writer(coalesce(c.by, l.by)),
      g.record,
      c.record
    from gone g
      full join come c using (%7$s)
      left join lateral (
        select h.portolan_to as at, %8$s as by
        from %4$s h
        where c.key is null and %9$s and h.portolan_to <= $2
        order by h.portolan_to desc
        limit 1
      ) l on true
    where g.record is distinct from c.record
    order by %7$s
    limit $3 offset $4
    $sql$,
    (select string_agg(format('h.%I', k), ', ') from unnest(v_key) k),
    portolan.key_text(relation, 'h'),
    portolan.readable_record(relation, v_history, 'h'),
    v_history,
    relation,
    case when v_names then 'h.portolan_by' else 'null' end,
    (select string_agg(quote_ident(k), ', ') from unnest(v_key) k),
    case when v_names then 'h.portolan_ended_by' else 'null' end,
    (select string_agg(format('h.%1$I = g.%1$I', k), ' and ') from unnest(v_key) k)
  ) using since, coalesce(until, 'infinity'), most, skipped;
end
$_$;

COMMENT ON FUNCTION portolan.diff(relation regclass, since timestamp with time zone, until timestamp with time zone, most integer, skipped bigint) IS 'What is different between a table at two instants.';

CREATE FUNCTION portolan.disable_events(relation regclass) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if portolan.event_comment(relation) then
    raise exception 'the comment of % says "@events on": change the comment', relation using errcode = 'PX400';
  end if;
  insert into portolan.event_tables as t (relation, setting)
  values (relation, false)
  on conflict on constraint event_tables_pkey do update set setting = false;
  perform portolan.remove_events(relation);
end
$$;

COMMENT ON FUNCTION portolan.disable_events(relation regclass) IS 'Switches the events of a table off.';

CREATE FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_following text := current_setting('portolan.following', true);
  v_member oid;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  select v.* into v_table from portolan.versioned_tables v where v.relation = disable_versioning.relation;
  perform portolan.end_filling(relation);
  if v_table.relation is null then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  if v_table.active then
    execute format('lock table %s in share row exclusive mode', relation);
    foreach v_member in array v_table.members loop
      perform portolan.drop_own_triggers(v_member, 'keep_history');
    end loop;
    perform portolan.close_history(v_table.history);
    update portolan.versioned_tables v
    set active = false, filling = false, members = '{}', mirrored = ''
    where v.relation = disable_versioning.relation;
  end if;
  if drop_history then
    perform portolan.drop_as_of(v_table.history);
    execute format('drop cast if exists (%s as %s)', v_table.history, relation);
    execute format('drop function if exists portolan.row_of_%s(%s)', relation::oid, v_table.history);
    execute format('drop table %s', v_table.history);
    delete from portolan.versioned_tables v where v.relation = disable_versioning.relation;
  end if;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean) IS 'Ends the history of a table; what was recorded stays.';

CREATE FUNCTION portolan.disable_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS $$
#variable_conflict use_variable
declare
  v_unpublished bigint;
  v_trigger name;
  v_member regclass;
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if not exists (select from portolan.workflow_tables w where w.relation = disable_workflow.relation) then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  execute format('lock table %s in access exclusive mode', relation);
  execute format('select count(*) from %s where portolan_status < 3', relation) into v_unpublished;
  if v_unpublished > 0 then
    raise exception '% rows of % are not published: publish or delete them first', v_unpublished, relation
      using errcode = 'PX409';
  end if;
  for v_trigger in
    select t.tgname
    from pg_trigger t
    where t.tgrelid = relation and not t.tgisinternal
      and t.tgfoid in (
        'portolan.tg__workflow()'::regprocedure, to_regprocedure(format('portolan.tg_%s__audit_workflow()', relation::oid)))
  loop
    execute format('drop trigger %I on %s', v_trigger, relation);
  end loop;
  execute format('drop function if exists portolan.tg_%s__audit_workflow()', relation::oid);
  delete from portolan.workflow_tables w where w.relation = disable_workflow.relation;
  foreach v_member in array portolan.event_members(relation)::regclass[] loop
    perform portolan.protect(v_member, '{}');
  end loop;
  perform portolan.follow_history();
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.disable_workflow(relation regclass) IS 'Ends the workflow of a table; its columns stay.';

CREATE FUNCTION portolan.drop_as_of(history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_function regprocedure;
begin
  select to_regprocedure(format('%I.%I(timestamptz)', n.nspname, 'as_of_' || c.relname)) into v_function
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = history;
  if v_function is not null then
    execute format('drop function %s', v_function);
  end if;
end
$$;

COMMENT ON FUNCTION portolan.drop_as_of(history regclass) IS 'Drops the function as_of_… that reads a twin.';

CREATE FUNCTION portolan.drop_client(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_client portolan.clients := portolan.existing_client(id);
begin
  if v_client.id = 'portolan-cli' then
    raise exception 'the client "portolan-cli" signs the tokens of the command line; take its grants away instead'
      using errcode = 'PX400';
  end if;
  delete from portolan.clients c where c.id = v_client.id;
end
$$;

COMMENT ON FUNCTION portolan.drop_client(id text) IS 'Removes an OAuth client; its tokens end.';

CREATE FUNCTION portolan.drop_method(method text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (select from portolan.methods m where m.method = drop_method.method) then
    raise exception 'there is no method "%"', method using errcode = 'PX404';
  end if;
  delete from portolan.methods m where m.method = drop_method.method;
  if not found then
    raise exception 'the method "%" is somebody else''s', method using errcode = 'PX403';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.drop_method(method text) IS 'Removes a stored method.';

CREATE FUNCTION portolan.drop_own_triggers(member oid, kind text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_statement text;
begin
  for v_statement in
    select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = member and p.pronamespace = 'portolan'::regnamespace
      and p.proname ~ ('^tg_[0-9]+__' || kind || '$')
  loop
    begin
      execute v_statement;
    exception
      when insufficient_privilege then
        raise exception 'Portolan may not drop triggers of %', member::regclass
          using errcode = '42501', hint = v_statement;
    end;
  end loop;
  execute format('drop function if exists portolan.%I()', format('tg_%s__%s', member, kind));
end
$_$;

COMMENT ON FUNCTION portolan.drop_own_triggers(member oid, kind text) IS 'Drops the triggers of one kind from one table.';

CREATE FUNCTION portolan.drop_raster(schema_name text, table_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass := portolan.existing_raster(schema_name, table_name);
begin
  delete from portolan.rasters r where r.relation = v_relation;
  execute format('drop table %s', v_relation);
end
$$;

COMMENT ON FUNCTION portolan.drop_raster(schema_name text, table_name text) IS 'Removes a raster; the file stays.';

CREATE FUNCTION portolan.drop_rule(id integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.one_at_a_time();
  delete from portolan.rules r where r.id = drop_rule.id;
  if not found then
    raise exception 'there is no rule %', id using errcode = 'PX404';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.drop_rule(id integer) IS 'Removes a rule.';

CREATE FUNCTION portolan.drop_user(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users;
  v_owned text;
begin
  perform portolan.one_at_a_time();
  v_user := portolan.existing_account(name);
  if v_user.name = 'anonymous' then
    raise exception 'the account name "anonymous" is reserved' using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.user_group = v_user.name) then
    raise exception 'the account "%" is the group of others', v_user.name using errcode = 'PX409';
  end if;
  if v_user.role in (session_user, current_setting('role')) then
    raise exception 'the account "%" cannot remove itself', v_user.name using errcode = 'PX409';
  end if;
  delete from portolan.users u where u.name = v_user.name;
  if not v_user.role_made or to_regrole(quote_ident(v_user.role)) is null then
    return;
  end if;
  select pg_describe_object(d.classid, d.objid, d.objsubid) into v_owned
  from pg_shdepend d
  where d.refclassid = 'pg_authid'::regclass
    and d.refobjid = to_regrole(quote_ident(v_user.role))
    and d.deptype = 'o'
    and d.dbid in (0, (select oid from pg_database where datname = current_database()))
  limit 1;
  if v_owned is not null then
    raise exception 'the role of "%" owns %', v_user.name, v_owned using errcode = 'PX409';
  end if;
  if not pg_has_role(current_user, v_user.role, 'usage') then
    perform portolan.grant_role(v_user.role, current_user, true); -- only a member may say `drop owned by`
  end if;
  execute format('drop owned by %I', v_user.role); -- takes its grants away; it owns nothing
  execute format('drop role %I', v_user.role);
end
$$;

COMMENT ON FUNCTION portolan.drop_user(name text) IS 'Removes an account and the role that was made for it.';

CREATE FUNCTION portolan.duration_quantile(durations integer[], part double precision) RETURNS real
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select (0.25 * 1.25 ^ (min(s.place) - 1))::real
  from (
    select d.place, sum(d.n) over (order by d.place) as reached, sum(d.n) over () as n
    from unnest(durations) with ordinality d (n, place)
  ) s
  where s.n > 0 and s.reached >= part * s.n
$$;

COMMENT ON FUNCTION portolan.duration_quantile(durations integer[], part double precision) IS 'The time in ms within which such a part of the requests was answered.';

CREATE FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO, YMD'
    SET "IntervalStyle" TO 'postgres'
    SET "TimeZone" TO 'UTC'
    SET extra_float_digits TO '1'
    SET bytea_output TO 'hex'
    AS $$
declare
  v_shape bigint := portolan.shape_stamp(relation);
  v_old text;
  v_new text;
  v_olds text[];
  v_news text[];
  v_rows integer := 0;
  v_bytes bigint := 0;
  v_next integer;
  v_done boolean;
  v_any boolean := false;
begin
  if operation = 'm' then
    v_any := portolan.emit_rows(relation, 'd', olds, null);
    return portolan.emit_rows(relation, 'i', null, news) or v_any;
  end if;
  loop
    v_done := true;
    if olds is not null then
      fetch olds into v_old;
      v_done := not found;
    end if;
    if news is not null then
      fetch news into v_new;
      v_done := not found;
    end if;
    v_next := coalesce(octet_length(v_old), 0) + coalesce(octet_length(v_new), 0);
    if v_rows > 0 and (v_done or v_rows = 1000 or v_bytes + v_next > 1000000) then
      insert into portolan.outbox (relation, shape, operation, depth, old, new)
      values (emit_rows.relation, v_shape, emit_rows.operation, pg_trigger_depth(), v_olds, v_news);
      v_any := true;
      v_olds := null;
      v_news := null;
      v_rows := 0;
      v_bytes := 0;
    end if;
    exit when v_done;
    v_rows := v_rows + 1;
    v_bytes := v_bytes + v_next;
    if olds is not null then
      v_olds := v_olds || v_old;
    end if;
    if news is not null then
      v_news := v_news || v_new;
    end if;
  end loop;
  if v_any then
    perform portolan.note_shape(relation);
  end if;
  -- an open cursor would keep the transition tables until the transaction ends
  if olds is not null then
    close olds;
  end if;
  if news is not null then
    close news;
  end if;
  return v_any;
end
$$;

COMMENT ON FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) IS 'Writes the records of a statement to the outbox, in pieces.';

CREATE FUNCTION portolan.enable_events(relation regclass, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.check_recorded(relation, 'events are');
  if not coalesce(wait, false) and not portolan.events_of(relation) and coalesce(portolan.event_comment(relation), true)
    and portolan.is_large(relation)
  then
    perform portolan.one_at_a_time();
    return portolan.queue_job('events', relation);
  end if;
  perform portolan.make_events(relation);
  return null;
end
$$;

COMMENT ON FUNCTION portolan.enable_events(relation regclass, wait boolean) IS 'Switches the events of a table on; returns the number of the job where the table is large.';

CREATE FUNCTION portolan.enable_versioning(relation regclass, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_versioning(relation);
  select v.* into v_table from portolan.versioned_tables v where v.relation = enable_versioning.relation;
  if not coalesce(wait, false) and (v_table.filling or not coalesce(v_table.active, false) and portolan.is_large(relation)) then
    return portolan.queue_job('versioning', relation);
  end if;
  insert into portolan.versioned_tables (relation, active) values (relation, false) on conflict do nothing;
  if v_table.filling then
    perform portolan.end_filling(relation); -- and all that is left is copied now
  end if;
  perform set_config('portolan.following', 'on', true);
  perform portolan.install_history(relation);
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  return null;
end
$$;

COMMENT ON FUNCTION portolan.enable_versioning(relation regclass, wait boolean) IS 'Keeps the history of a table from now on; returns the number of the job where the table is large.';

CREATE FUNCTION portolan.enable_workflow(relation regclass, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    AS $$
#variable_conflict use_variable
begin
  perform portolan.one_at_a_time();
  perform portolan.check_workflow(relation);
  if not coalesce(wait, false) and portolan.is_large(relation)
    and not exists (select from portolan.workflow_tables w where w.relation = enable_workflow.relation)
  then
    return portolan.queue_job('workflow', relation);
  end if;
  perform portolan.make_workflow(relation);
  return null;
end
$$;

COMMENT ON FUNCTION portolan.enable_workflow(relation regclass, wait boolean) IS 'Rows of a table are drafted, reviewed and published from now on; returns the number of the job where the table is large.';

CREATE FUNCTION portolan.encode_key(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select coalesce(string_agg(
    case
      when c ~ '^[A-Za-z0-9._~-]$' then c
      else (select string_agg('%' || upper(encode(substr(b, i, 1), 'hex')), '' order by i)
            from convert_to(c, 'UTF8') b, generate_series(1, octet_length(b)) i)
    end, '' order by place), '')
  from regexp_split_to_table(value, '') with ordinality s (c, place)
$_$;

COMMENT ON FUNCTION portolan.encode_key(value text) IS 'A value of a composite key as it stands in the text of the key.';

CREATE FUNCTION portolan.end_filling(relation regclass) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update portolan.versioned_tables v set filling = false, active = false where v.relation = end_filling.relation and v.filling;
  update portolan.jobs j
  set state = 'stopped', updated = clock_timestamp()
  where j.kind = 'versioning' and j.relation = end_filling.relation and j.state in ('queued', 'running');
$$;

COMMENT ON FUNCTION portolan.end_filling(relation regclass) IS 'Ends the copying of rows in portions before all are copied.';

CREATE FUNCTION portolan.end_lost_versions(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  execute format(
    'update %s h set portolan_to = greatest(now(), h.portolan_from + interval ''1 microsecond''), '
    'portolan_ended_by = session_user where h.portolan_to = ''infinity'' '
    'and not exists (select from %s b where %s)', history, relation,
    (select string_agg(format('h.%1$I = b.%1$I', k), ' and ') from unnest(portolan.key_columns(relation)) k));
end
$_$;

COMMENT ON FUNCTION portolan.end_lost_versions(relation regclass, history regclass) IS 'Ends the open versions whose row is not in the table.';

CREATE FUNCTION portolan.end_session(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_role name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_own text; -- whose sessions the caller may end, null for a super user
  v_account text;
  v_client text;
begin
  if not pg_has_role(v_role, 'owner@' || current_database(), 'usage')
    and not has_schema_privilege(v_role, 'portolan', 'create')
  then
    select u.name into v_own
    from portolan.users u
    where u.name <> 'anonymous'
      and u.role = v_role
      and u.name = coalesce(nullif(current_setting('portolan.user', true), ''), u.name)
      and exists (select from portolan.logins l where l.role = session_user and l.kind = 'gateway');
    if not found then
      raise exception 'an account may end its own sessions only' using errcode = 'insufficient_privilege';
    end if;
  end if;
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.id::text = end_session.id and f.revoked_at is null and f.expires_at > now()
    and f.user_name = coalesce(v_own, f.user_name)
  returning f.user_name, f.client_id into v_account, v_client;
  if not found then
    delete from portolan.sessions b
    where left(encode(sha256(b.hash::bytea), 'hex'), 32) = end_session.id and b.expires_at > now()
      and b.user_name = coalesce(v_own, b.user_name)
    returning b.user_name into v_account;
  end if;
  if v_account is null then
    raise exception 'there is no session %', quote_literal(left(id, 100)) using errcode = 'PX404';
  end if;
  insert into portolan.audit (event, account, client_id, address, details)
  values ('session.ended', v_account, v_client, nullif(current_setting('portolan.ip', true), ''),
    jsonb_build_object('by', portolan.actor()));
end
$$;

COMMENT ON FUNCTION portolan.end_session(id text) IS 'Ends a session: a super user any, everybody else its own.';

CREATE FUNCTION portolan.event_comment(relation oid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  return (regexp_match(obj_description(relation, 'pg_class'), '(?:^|\n)\s*@events\s+(on|off)\s*(?:\n|$)'))[1] = 'on';
end
$_$;

COMMENT ON FUNCTION portolan.event_comment(relation oid) IS 'What the comment of a relation says of events.';

CREATE FUNCTION portolan.event_log(after bigint, most integer, tables oid[] DEFAULT NULL::oid[]) RETURNS TABLE(epoch text, floor bigint, floor_last bigint, head bigint, head_last bigint, n bigint, snapshot text, at timestamp with time zone, last bigint, total bigint, relations oid[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select r.epoch, f.n, f.last, h.n, h.last, b.n, b.snapshot::text, b.at, b.last, b.total, b.relations
  from portolan.event_reader r
    left join lateral (select n, last from portolan.batches order by n limit 1) f on true
    left join lateral (select n, last from portolan.batches order by n desc limit 1) h on true
    left join lateral (
      select *
      from portolan.batches
      where n > after and (tables is null or relations && tables)
      order by n
      limit most
    ) b on true
  order by b.n
$$;

COMMENT ON FUNCTION portolan.event_log(after bigint, most integer, tables oid[]) IS 'The batches of change events, in order.';

CREATE FUNCTION portolan.event_members(relation oid) RETURNS oid[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array(
    select p.relid::oid from pg_partition_tree(relation) p
    union
    select relation
    order by 1)
$$;

COMMENT ON FUNCTION portolan.event_members(relation oid) IS 'A table and its partitions, sorted.';

CREATE FUNCTION portolan.event_rights(roles text[], tables oid[]) RETURNS TABLE(columns smallint[], version text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select
    case when c.oid is not null and r.oid is not null then array(
      select a.attnum
      from pg_catalog.pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage')
        and pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'select')
      order by a.attnum)
    end,
    v.version
  from unnest(roles, tables) with ordinality p (role, relation, place)
    left join pg_catalog.pg_roles r on r.rolname = p.role
    left join pg_catalog.pg_class c on c.oid = p.relation
    left join (
      select t.relation, portolan.event_version(t.relation) as version
      from (select distinct relation from unnest(tables) u (relation)) t
    ) v on v.relation = p.relation
  order by p.place
$$;

COMMENT ON FUNCTION portolan.event_rights(roles text[], tables oid[]) IS 'What roles may select of tables now.';

CREATE FUNCTION portolan.event_settings(relation oid) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return array(
    with recursive wanted (oid) as (
      select a.atttypid from pg_attribute a where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      union
      select p.part
      from wanted w
        join pg_type t on t.oid = w.oid
        cross join lateral (
          select t.typelem as part where t.typelem <> 0
          union all
          select t.typbasetype where t.typtype = 'd'
          union all
          select r.rngsubtype from pg_range r where t.oid in (r.rngtypid, r.rngmultitypid)
          union all
          select a.atttypid from pg_attribute a
          where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
        ) p
    )
    select distinct s.name
    from wanted w
      join pg_type t on t.oid = w.oid
      cross join unnest(case
        when t.typtype = 'c' then '{DateStyle,TimeZone,IntervalStyle,extra_float_digits,bytea_output}'::text[]
        when t.typtype <> 'b' or t.typcategory = 'A' then '{}' -- what they are made of decides
        when t.typnamespace = 'pg_catalog'::regnamespace then
          case
            when t.typname = 'timestamptz' then '{DateStyle,TimeZone}'::text[]
            when t.typname in ('date', 'timestamp', 'timetz') then '{DateStyle}'
            when t.typname = 'interval' then '{IntervalStyle}'
            when t.typname in ('float4', 'float8', 'point', 'lseg', 'line', 'box', 'path', 'polygon', 'circle')
              then '{extra_float_digits}'
            when t.typname = 'bytea' then '{bytea_output}'
            when t.typname like 'reg%' then '{search_path}'
            else '{}'
          end
        when t.typname in ('geometry', 'geography', 'citext', 'hstore', 'ltree') then '{}'
        else '{DateStyle,TimeZone,IntervalStyle,extra_float_digits,bytea_output}'
      end) s (name)
    order by s.name);
end
$$;

COMMENT ON FUNCTION portolan.event_settings(relation oid) IS 'The settings of a session that change the text of a table''s values.';

CREATE FUNCTION portolan.event_shape(relation oid, stamp bigint) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select jsonb_agg(jsonb_build_array(a.attname, c.type::bigint) order by c.place)
  from (
      select k.relation, k.attnums, k.types from portolan.shapes k
      where k.relation = event_shape.relation and k.stamp = event_shape.stamp
      limit 1
    ) s
    cross join lateral unnest(s.attnums, s.types) with ordinality c (attnum, type, place)
    left join pg_attribute a on a.attrelid = s.relation and a.attnum = c.attnum and not a.attisdropped
$$;

COMMENT ON FUNCTION portolan.event_shape(relation oid, stamp bigint) IS 'The columns that a table had when its shape had this stamp.';

CREATE FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid DEFAULT NULL::oid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select jsonb_build_object(
    'oid', c.oid::bigint,
    'schema', n.nspname,
    'name', c.relname,
    'kind', c.relkind,
    'partitionOf', case when c.relispartition then pg_partition_root(c.oid)::text end,
    'active', coalesce(t.active, false),
    'rowSecurity', c.relrowsecurity,
    'version', portolan.event_version(c.oid),
    'columns', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'number', a.attnum,
          'name', a.attname,
          'type', a.atttypid::bigint)
        order by a.attnum)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]'),
    -- what the columns are made of, by number
    'types', (
      select coalesce(jsonb_object_agg(y.oid, to_jsonb(y) || jsonb_build_object('oid', y.oid::bigint, 'element', y.element::bigint)), '{}')
      from portolan.type_catalogue(array(
        select a.atttypid from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)) y),
    'key', coalesce((
      select to_jsonb(k.conkey) from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'), '[]'),
    'judge', case when c.relkind in ('r', 'p') then portolan.judge_sql(c.oid) end,
    -- the columns that the policies read; null: perhaps all. A Var of number 0 is the whole row. Those of other tables
    -- in a subquery are counted too, which only makes the answer larger
    'policyColumns', (
      select case
          when bool_or(p.polqual::text ~ ':varattno (0|-\d+) ') or bool_or(p.polqual::text ~ '\{VAR ' and p.polqual::text !~ ':varattno ')
            then null
          else (
            select coalesce(jsonb_agg(distinct m[1]::integer), '[]')
            from pg_policy q, regexp_matches(q.polqual::text, ':varattno (\d+) ', 'g') m
            where q.polrelid = c.oid and q.polcmd in ('r', '*'))
        end
      from pg_policy p
      where p.polrelid = c.oid and p.polcmd in ('r', '*')))
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join portolan.event_tables t on t.relation = c.oid
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.oid = coalesce(
      table_oid,
      (select d.oid from pg_class d join pg_namespace e on e.oid = d.relnamespace
       where e.nspname = schema_name and d.relname = table_name))
$$;

COMMENT ON FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid) IS 'What the gateway must know of a table to give out its change events.';

CREATE FUNCTION portolan.event_tables_to_change(schemas text[], everything boolean) RETURNS TABLE(relation regclass, wanted boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with tables as (
    select c.oid, t.active, t.members, c.relname, n.nspname,
      coalesce(
        case when n.nspname = any (schemas) then portolan.event_comment(c.oid) end,
        t.setting,
        everything and n.nspname = any (schemas) and c.relpersistence = 'p'
          and (c.relkind = 'p' or not exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)))
          and not exists (
            select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'),
        false) as wanted
    from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join portolan.event_tables t on t.relation = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition
      and (n.nspname = any (schemas) or t.relation is not null)
      and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'portolan')
  )
  select t.oid::regclass, t.wanted
  from tables t
  where t.wanted <> coalesce(t.active, false)
    or t.wanted and (
      t.members <> portolan.event_members(t.oid)
      or exists (
        select from unnest(t.members) m (oid)
        where portolan.event_trigger_count(m.oid) < 4)
      or exists (
        select from unnest(t.members) m (oid)
        where not exists (
          select from portolan.shapes s where s.relation = m.oid and s.stamp = portolan.shape_stamp(m.oid))))
  order by t.nspname, t.relname
$$;

COMMENT ON FUNCTION portolan.event_tables_to_change(schemas text[], everything boolean) IS 'The tables whose triggers of events are not what they should be.';

CREATE FUNCTION portolan.event_trigger_body(relation oid) RETURNS text
    LANGUAGE sql STABLE
    AS $_$
  select format($body$
declare
  v_old refcursor;
  v_new refcursor;
  v_operation pg_catalog.text;
begin
  if tg_op operator(pg_catalog.=) 'UPDATE' then
    insert into portolan.outbox (relation, shape, operation, depth, old, new)
    select %1$s, %2$s, 'u', pg_catalog.pg_trigger_depth(),
      array[(o.*)::pg_catalog.text], array[(n.*)::pg_catalog.text]
    from old_rows o cross join new_rows n
    where not exists (select from new_rows offset 1) and %3$s;
  elsif tg_op operator(pg_catalog.=) 'INSERT' then
    insert into portolan.outbox (relation, shape, operation, depth, new)
    select %1$s, %2$s, 'i', pg_catalog.pg_trigger_depth(), array[(n.*)::pg_catalog.text]
    from new_rows n
    where not exists (select from new_rows offset 1) and %3$s;
  elsif tg_op operator(pg_catalog.=) 'DELETE' then
    insert into portolan.outbox (relation, shape, operation, depth, old)
    select %1$s, %2$s, 'd', pg_catalog.pg_trigger_depth(), array[(o.*)::pg_catalog.text]
    from old_rows o
    where not exists (select from old_rows offset 1) and %3$s;
  else
    insert into portolan.outbox (relation, operation, depth) values (%1$s, 't', pg_catalog.pg_trigger_depth());
  end if;
  if not found then
    v_operation := pg_catalog.lower(pg_catalog.left(tg_op, 1));
    if v_operation operator(pg_catalog.<>) 'i' then
      if not exists (select from old_rows) then
        return null;
      end if;
      open v_old for select (o.*)::pg_catalog.text from old_rows o;
    end if;
    if v_operation operator(pg_catalog.<>) 'd' then
      if v_operation operator(pg_catalog.=) 'i' and not exists (select from new_rows) then
        return null;
      end if;
      open v_new for select (n.*)::pg_catalog.text from new_rows n;
    end if;
    %4$s
    if not portolan.emit_rows(%1$s, v_operation::pg_catalog."char", v_old, v_new) then
      return null;
    end if;
  end if;
  -- The flag is read after the row is written, which is after the transaction got its id: either the reader, having set
  -- the flag, sees this transaction in flight, or this transaction sees the flag.
  if pg_catalog.pg_sequence_last_value('portolan.asleep') operator(pg_catalog.=) 1 then
    perform pg_catalog.pg_notify('portolan', '');
  end if;
  return null;
end
$body$,
    c.oid,
    k.stamp,
    case when c.relkind = 'p' then 'false' else
      concat_ws(' and ',
        format('portolan.planned_stamp(%s) operator(pg_catalog.=) %s', c.oid, k.stamp),
        (select string_agg(
            format('pg_catalog.current_setting(%L) %s', s.name,
              case s.name
                when 'TimeZone' then $$operator(pg_catalog.=) any (array['UTC', 'Etc/UTC', 'GMT'])$$
                when 'DateStyle' then $$operator(pg_catalog.~~) 'ISO%'$$
                when 'IntervalStyle' then $$operator(pg_catalog.=) 'postgres'$$
                when 'extra_float_digits' then $$operator(pg_catalog.=) any (array['1', '2', '3'])$$
                when 'bytea_output' then $$operator(pg_catalog.=) 'hex'$$
                when 'search_path' then $$operator(pg_catalog.=) 'pg_catalog, pg_temp'$$
              end),
            ' and ' order by s.name)
          from unnest(portolan.event_settings(c.oid)) s (name)))
    end,
    case when c.relkind = 'p' then $part$-- an update that moves rows between partitions and is refused there leaves fewer new rows than old, and nothing
    -- tells which belong together
    if v_operation operator(pg_catalog.=) 'u' then
      if (select pg_catalog.count(*) from old_rows) operator(pg_catalog.<>) (select pg_catalog.count(*) from new_rows) then
        v_operation := 'm';
      end if;
    end if;$part$ else '' end)
  from pg_class c
    cross join portolan.shape_stamp(c.oid) k (stamp)
  where c.oid = relation
$_$;

COMMENT ON FUNCTION portolan.event_trigger_body(relation oid) IS 'The body of the function behind the triggers of events of one table.';

CREATE FUNCTION portolan.event_trigger_count(relation oid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  select count(*)
  from pg_trigger t
    join pg_proc p on p.oid = t.tgfoid
    join (select portolan.event_trigger_body(relation) as body offset 0) f on f.body = p.prosrc
  where t.tgrelid = relation and p.oid = to_regprocedure(format('portolan.tg_%s__emit_event()', relation))
$$;

COMMENT ON FUNCTION portolan.event_trigger_count(relation oid) IS 'How many of the triggers of events a table has.';

CREATE FUNCTION portolan.event_version(relation oid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select pg_catalog.concat_ws(' ',
    (select c.xmin::pg_catalog.text from pg_catalog.pg_class c where c.oid = relation),
    (select pg_catalog.md5(pg_catalog.string_agg(a.xmin::pg_catalog.text, ',' order by a.attnum))
     from pg_catalog.pg_attribute a where a.attrelid = relation and a.attnum > 0),
    (select pg_catalog.md5(pg_catalog.string_agg(p.oid || '.' || p.xmin, ',' order by p.oid))
     from pg_catalog.pg_policy p where p.polrelid = relation))
$$;

COMMENT ON FUNCTION portolan.event_version(relation oid) IS 'Changes with the columns, privileges and policies of a table.';

CREATE FUNCTION portolan.events_of(relation regclass) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce((select t.active from portolan.event_tables t where t.relation = events_of.relation), false)
$$;

COMMENT ON FUNCTION portolan.events_of(relation regclass) IS 'Whether a table has events now.';

CREATE TABLE portolan.users (
    name text NOT NULL,
    role text NOT NULL,
    role_made boolean DEFAULT true NOT NULL,
    password text,
    email text,
    user_group text,
    properties jsonb DEFAULT '{}'::jsonb NOT NULL,
    superuser boolean DEFAULT false NOT NULL,
    token_version bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint NOT NULL,
    own_login_version integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_group_is_another CHECK ((user_group <> name)),
    CONSTRAINT users_name_is_legal CHECK (((name ~ '^[a-z_][a-z0-9_-]{0,39}$'::text) AND (name <> 'owner'::text))),
    CONSTRAINT users_properties_is_object CHECK ((jsonb_typeof(properties) = 'object'::text)),
    CONSTRAINT users_role_fits CHECK (((octet_length(role) >= 1) AND (octet_length(role) <= 63)))
);

CREATE FUNCTION portolan.existing_account(name text) RETURNS portolan.users
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users;
begin
  select u.* into v_user from portolan.users u where u.name = portolan.account_name(existing_account.name);
  if not found then
    raise exception 'there is no account "%"', lower(existing_account.name) using errcode = 'PX404';
  end if;
  return v_user;
end
$$;

COMMENT ON FUNCTION portolan.existing_account(name text) IS 'The row of an account, or an error that it does not exist.';

CREATE TABLE portolan.clients (
    id text DEFAULT (gen_random_uuid())::text NOT NULL,
    name text NOT NULL,
    redirect_uri text[] DEFAULT '{}'::text[] NOT NULL,
    homepage text,
    description text,
    public boolean DEFAULT false NOT NULL,
    confirm boolean DEFAULT true NOT NULL,
    grants text[] DEFAULT '{authorization_code,refresh_token,device_code}'::text[] NOT NULL,
    secret_hash text,
    access_token_lifetime_seconds integer DEFAULT 3600 NOT NULL,
    refresh_token_lifetime_seconds integer DEFAULT 86400 NOT NULL,
    code_lifetime_seconds integer DEFAULT 120 NOT NULL,
    device_code_lifetime_seconds integer DEFAULT 1800 NOT NULL,
    device_poll_interval_seconds integer DEFAULT 5 NOT NULL,
    refresh_reuse text DEFAULT 'refuse'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    account text,
    CONSTRAINT clients_access_token_lifetime CHECK (((access_token_lifetime_seconds >= 1) AND (access_token_lifetime_seconds <= 31536000))),
    CONSTRAINT clients_code_lifetime CHECK (((code_lifetime_seconds >= 1) AND (code_lifetime_seconds <= 600))),
    CONSTRAINT clients_device_code_lifetime CHECK (((device_code_lifetime_seconds >= 1) AND (device_code_lifetime_seconds <= 86400))),
    CONSTRAINT clients_device_poll_interval CHECK (((device_poll_interval_seconds >= 1) AND (device_poll_interval_seconds <= 300))),
    CONSTRAINT clients_grants_are_known CHECK (((grants <@ ARRAY['authorization_code'::text, 'refresh_token'::text, 'device_code'::text, 'password'::text, 'client_credentials'::text]) AND (array_position(grants, NULL::text) IS NULL))),
    CONSTRAINT clients_homepage_is_web CHECK (((homepage ~ '^https?://[^\s<>"\\]+$'::text) AND (length(homepage) <= 2000))),
    CONSTRAINT clients_id_is_legal CHECK ((id ~ '^[A-Za-z0-9._~:@-]{1,100}$'::text)),
    CONSTRAINT clients_name_fits CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT clients_public_has_no_credentials CHECK ((NOT (public AND ('client_credentials'::text = ANY (grants))))),
    CONSTRAINT clients_refresh_reuse CHECK ((refresh_reuse = ANY (ARRAY['refuse'::text, 'allow'::text]))),
    CONSTRAINT clients_refresh_token_lifetime CHECK (((refresh_token_lifetime_seconds >= 1) AND (refresh_token_lifetime_seconds <= 31536000))),
    CONSTRAINT clients_secret_is_hashed CHECK ((secret_hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE FUNCTION portolan.existing_client(id text) RETURNS portolan.clients
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_client portolan.clients;
begin
  select c.* into v_client from portolan.clients c where c.id = existing_client.id;
  if not found then
    raise exception 'there is no client "%"', existing_client.id using errcode = 'PX404';
  end if;
  return v_client;
end
$$;

COMMENT ON FUNCTION portolan.existing_client(id text) IS 'The row of a client, or an error that it does not exist.';

CREATE FUNCTION portolan.existing_raster(schema_name text, table_name text) RETURNS regclass
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass;
begin
  select c.oid::regclass into v_relation
  from portolan.rasters r join pg_class c on c.oid = r.relation join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name;
  if not found then
    raise exception 'there is no raster "%" in schema "%"', table_name, schema_name using errcode = 'PX404';
  end if;
  return v_relation;
end
$$;

COMMENT ON FUNCTION portolan.existing_raster(schema_name text, table_name text) IS 'The table of a raster.';

CREATE FUNCTION portolan.explain_access(user_name text, relation regclass) RETURNS TABLE(subject text, name text, applies text, meaning text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  v_user portolan.users := portolan.existing_account(explain_access.user_name);
  v_class record;
  v_groups text[];
begin
  select c.oid, c.relkind, c.relowner, c.relrowsecurity, c.relnamespace::regnamespace::text as schema into v_class
  from pg_class c
  where c.oid = explain_access.relation;
  if not found then
    raise exception 'the relation does not exist' using errcode = 'PX404';
  end if;
  if to_regrole(quote_ident(v_user.role)) is null then
    raise exception 'the role "%" of the account does not exist', v_user.role using errcode = 'PX404';
  end if;
  v_groups := array(
    select u.name
    from portolan.users u join pg_roles r on r.rolname = u.role
    where u.name not in (v_user.name, 'anonymous') and u.role <> v_user.role
      and pg_has_role(v_user.role, r.oid, 'member')
    order by u.name);

  return query select 'account', v_user.name, 'yes', concat_ws(', ',
    format('acts as the role %s', v_user.role),
    'member of ' || nullif(array_to_string(v_groups, ' and '), ''),
    case when v_user.superuser then 'super user: no rule binds it' end);
  return query
    select 'grant', format('usage on schema %s', v_class.schema),
      case when has_schema_privilege(v_user.role, v_class.schema, 'usage') then 'yes' else 'no' end,
      'without it nothing in the schema is reached';
  return query
    select 'grant', k.command,
      case
        when has_table_privilege(v_user.role, explain_access.relation, k.command) then 'yes'
        when k.command <> 'delete' and has_any_column_privilege(v_user.role, explain_access.relation, k.command) then 'some columns'
        else 'no'
      end,
      coalesce('through ' || (
        select string_agg(distinct case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end, ', ')
        from pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
        where c.oid = explain_access.relation and lower(a.privilege_type) = k.command
          and (a.grantee = 0 or pg_has_role(v_user.role, a.grantee, 'usage'))), '')
    from (values ('select'), ('insert'), ('update'), ('delete')) k (command);
  return query
    select 'rule', m.id::text,
      case
        when v_user.superuser then 'no'
        when not m.named then 'no'
        when concat(m.service, m.network) <> '' then 'when ' || concat_ws(
          ' and ', 'the service is ' || m.service, 'the address is in ' || m.network)
        else 'yes'
      end,
      format(
        '%s %s for %s, priority %s%s%s',
        case m.access when 'a' then 'allows' when 'd' then 'denies' else 'limits' end, m.commands,
        (select r.username from portolan.rules r where r.id = m.id), m.priority,
        ' where ' || (select r.filter from portolan.rules r where r.id = m.id),
        case when v_user.superuser then '; it binds no super user' when not m.named then '; it is for others' end)
    from (
      select r.id, r.priority, r.service, r.network, r.access,
        string_agg(case r.command when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
          ', ' order by position(r.command in 'rawd')) as commands,
        coalesce(
          r.username is null or v_user.name like r.username
            or exists (select from unnest(v_groups) g (name) where g.name like r.username), false) as named
      from portolan.rule_map r
      where r.relation = explain_access.relation
      group by r.id, r.priority, r.service, r.network, r.access, r.username
    ) m
    order by m.priority, m.id;
  if not v_class.relrowsecurity then
    return query select 'row security', explain_access.relation::text, 'no', case
      when v_class.relkind in ('v', 'm', 'f') then 'policies cannot stand on it; doctor tells when it shows more than its tables do'
      else 'it is off: whoever has a grant sees every row' end;
    return query
      select 'policy', p.polname::text, 'no', format('it sleeps until: alter table %s enable row level security',
        explain_access.relation)
      from pg_policy p
      where p.polrelid = explain_access.relation
      order by p.polname;
  else
    return query select 'row security', explain_access.relation::text,
      case when pg_has_role(v_user.role, v_class.relowner, 'usage') then 'no' else 'yes' end,
      case when pg_has_role(v_user.role, v_class.relowner, 'usage')
        then 'the account has the rights of the owner, ' || pg_get_userbyid(v_class.relowner)
        else 'a row passes when one permissive policy lets it, and every restrictive one' end;
    return query
      select case when portolan.is_own_policy(p.polname) then 'policy of Portolan' else 'policy' end,
        p.polname::text,
        case
          when p.polroles = '{0}' or exists (
            select from unnest(p.polroles) r (role) where r.role = 0 or pg_has_role(v_user.role, r.role, 'usage')) then 'yes'
          else 'no'
        end,
        concat_ws(
          ' ',
          case when p.polpermissive then 'permissive' else 'restrictive' end,
          'for',
          case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
          'using ' || regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\s+', ' ', 'g'),
          'with check ' || regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\s+', ' ', 'g'))
      from pg_policy p
      where p.polrelid = explain_access.relation
      order by not p.polpermissive, p.polname;
  end if;
  return query
    select 'workflow', w.root::text, 'yes', 'the account is ' || case greatest(
        case when v_user.superuser then 3 else 0 end,
        (select max(r.level) from portolan.workflow_roles r
         where r.relation = w.root and (r.user_name = v_user.name or r.user_name = any (v_groups))))
      when 1 then 'an author' when 2 then 'a reviewer' when 3 then 'a publisher' else 'a reader' end
    from portolan.workflow_root(explain_access.relation) w (root)
    where w.root is not null;
  return query
    select 'history', v.history::text, 'yes', format('kept since %s, read under the same rights', v.since)
    from portolan.versioned_tables v
    where v.relation = explain_access.relation and v.active and not v.filling;
  return query
    select 'problem', explain_access.relation::text, 'yes', coalesce(
      s.problem, 'rules mean it, and it does not have their policies: interfaces refuse it')
    from portolan.unprotected_relations() u
      left join portolan.row_security s on s.relation = u.relation
    where u.relation = explain_access.relation;
end
$$;

COMMENT ON FUNCTION portolan.explain_access(user_name text, relation regclass) IS 'What decides what an account may do with a relation, and why.';

CREATE FUNCTION portolan.exposed_schemas() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(array_agg(n.nspname::text order by n.nspname), '{}')
  from pg_namespace n
  where n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'portolan')
    and not exists (select from portolan.history_schemas h where h.name = n.nspname)
    and not exists (
      select from pg_depend d
      where d.classid = 'pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e')
    and (
      exists (
        select from pg_class c
        where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f') and not exists (
          select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
      or exists (
        select from pg_proc p
        where p.pronamespace = n.oid and not exists (
          select from pg_depend d
          where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')))
$$;

COMMENT ON FUNCTION portolan.exposed_schemas() IS 'The schemas that the service shows when none are configured.';

CREATE FUNCTION portolan.fill_history(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_match text;
  v_columns text;
  v_values text;
begin
  select string_agg(format('h.%1$I = b.%1$I', k), ' and ') into v_match from unnest(portolan.key_columns(relation)) k;
  select
    string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('b.%I', a.attname), ', ' order by a.attnum)
  into v_columns, v_values
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if (select c.reltuples from pg_class c where c.oid = relation) > 1000000 then
    raise warning 'writers of % wait until its rows are copied, about % of them', relation,
      (select c.reltuples::bigint from pg_class c where c.oid = relation);
  end if;
  perform portolan.end_lost_versions(relation, history);
  execute format(
    'insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version) '
    'select %3$s, greatest(now(), m.portolan_to), ''infinity'', pg_current_xact_id(), session_user, '
    '  coalesce(m.portolan_version, 0) + 1 '
    'from %4$s b left join lateral '
    '  (select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1) m on true '
    'where m.portolan_to is distinct from ''infinity''',
    history, v_columns, v_values, relation, v_match);
end
$_$;

COMMENT ON FUNCTION portolan.fill_history(relation regclass, history regclass) IS 'Opens a version for each row of a table that has none.';

CREATE FUNCTION portolan.filter_problem(policy oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_relation regclass;
  -- without the texts between quotes, and then without quoted names
  v_text text;
  v_words text;
  v_calls text[];
  v_volatile text;
begin
  select p.polrelid, regexp_replace(pg_get_expr(p.polqual, p.polrelid), '("(?:[^"]|"")*")|''(?:[^'']|'''')*''', '\1', 'g')
  into v_relation, v_text
  from pg_policy p where p.oid = policy;
  v_words := regexp_replace(v_text, '"(?:[^"]|"")*"', '""', 'g');
  v_calls := array(
    select m[2] from regexp_matches(replace(v_text, 'pg_catalog.', ''), '(?<![\w."$])("?)([a-z_][a-z0-9_]*)\1\(', 'g') m);
  select min(p.oid::regprocedure::text) into v_volatile
  from pg_proc p
  where p.provolatile = 'v' and (
    p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any (v_calls)
    or p.oid in (
      select coalesce(o.oprcode::oid, d.refobjid)
      from pg_depend d left join pg_operator o on d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
      where d.classid = 'pg_policy'::regclass and d.objid = policy
        and d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass)));
  return case
    when v_words ~ '\m(SELECT|VALUES)\M' then
      format('has a subquery: it is a condition on the columns of %s alone', v_relation)
    when v_words ~ '(?<![\w."])(ctid|[cx]min|[cx]max|tableoid)(?![\w(])' then
      format('names a system column of %s', v_relation)
    when v_words ~ '\m(CURRENT_ROLE|CURRENT_USER|SESSION_USER|SYSTEM_USER|USER)\M'
      or v_calls && '{current_user, session_user, system_user, getpgusername}'
    then 'asks for the role, which one account may change: username says whom a rule is for'
    when v_volatile is not null then format('calls %s, which is volatile', v_volatile)
    when 'current_setting' = any (v_calls) then 'reads a setting, which SQL can change: use {{key}}'
  end;
end
$_$;

COMMENT ON FUNCTION portolan.filter_problem(policy oid) IS 'Why the expression of a policy cannot be the filter of a rule.';

CREATE FUNCTION portolan.filter_sql(relation regclass, filter text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    AS $_$
declare
  v_filter record;
  v_condition text;
  v_types regtype[] := '{}';
  v_calls text[] := '{}';
  v_message text;
  v_path text := current_setting('search_path');
begin
  v_filter := portolan.read_filter(filter);
  begin
    perform set_config('search_path', concat_ws(', ', 'pg_catalog', quote_ident(portolan.postgis_schema()), 'pg_temp'), true);
    if cardinality(v_filter.keys) > 0 then
      if exists (select from pg_prepared_statements p where p.name = 'portolan_filter') then
        deallocate portolan_filter;
      end if;
      execute format(E'prepare portolan_filter as select from %s where (\n%s\n)', relation, v_filter.condition);
      select p.parameter_types into v_types from pg_prepared_statements p where p.name = 'portolan_filter';
      deallocate portolan_filter;
    end if;
    v_condition := v_filter.condition;
    for i in reverse cardinality(v_filter.keys)..1 loop
      v_calls[i] := format(
        'portolan.%s(%L)',
        case when (select t.typcategory from pg_type t where t.oid = v_types[i]) = 'A' then 'prop_list' else 'prop' end,
        v_filter.keys[i]);
      v_condition := replace(v_condition, '$' || i, format('(%s::%s)', v_calls[i], v_types[i]));
    end loop;
    -- in another place a text that closes a parenthesis of ours, to open another, is no expression
    execute format(E'prepare portolan_filter as select case when\n%s\nthen true end from %s', v_condition, relation);
    deallocate portolan_filter;
    execute format(E'create policy portolan_filter on %s for select to public using (\n%s\n)', relation, v_condition);
    perform set_config('search_path', v_path, true);
  exception
    when insufficient_privilege or lock_not_available or deadlock_detected or query_canceled then
      raise;
    when others then
      get stacked diagnostics v_message = message_text;
      raise exception 'the filter does not fit %: %', relation, v_message using errcode = 'PX400';
  end;

  select pg_get_expr(p.polqual, p.polrelid), portolan.filter_problem(p.oid) into v_condition, v_message
  from pg_policy p
  where p.polrelid = relation and p.polname = 'portolan_filter';
  execute format('drop policy portolan_filter on %s', relation);
  if v_message is not null then
    raise exception 'the filter %', v_message using errcode = 'PX400';
  end if;
  -- the parentheses and the cast keep `= any (…)` an array and no subquery
  for i in 1..cardinality(v_filter.keys) loop
    v_condition := replace(
      v_condition,
      format('portolan.%s(%L::text)', case when v_calls[i] like 'portolan.prop\_list(%' then 'prop_list' else 'prop' end,
        v_filter.keys[i]),
      format('((select %s)::%s)', v_calls[i], case when v_calls[i] like 'portolan.prop\_list(%' then 'text[]' else 'text' end));
  end loop;
  return v_condition;
end
$_$;

COMMENT ON FUNCTION portolan.filter_sql(relation regclass, filter text) IS 'The filter of a rule as an expression for a policy of the table.';

CREATE FUNCTION portolan.fleet() RETURNS TABLE(host text, process integer, version text, reader boolean, judges text[], lag_ms integer, subscriptions integer, sockets integer, noted timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select
    g.figures ->> 'host',
    (g.figures ->> 'process')::integer,
    g.figures ->> 'version',
    coalesce(g.pid = r.pid, false),
    case when jsonb_typeof(g.figures -> 'judges') = 'array'
      then array(select jsonb_array_elements_text(g.figures -> 'judges') order by 1) end,
    (g.figures ->> 'lag_ms')::integer,
    (g.figures ->> 'subscriptions')::integer,
    (g.figures ->> 'sockets')::integer,
    g.noted
  from portolan.gateways g cross join portolan.event_reader r
  where exists (
    select from pg_stat_get_activity(g.pid) a
    where a.pid = g.pid and (a.backend_start is null or a.backend_start = g.started))
  order by 4 desc, 1, 2
$$;

COMMENT ON FUNCTION portolan.fleet() IS 'The gateways that serve this database now.';

CREATE FUNCTION portolan.follow_console(redirect_uri text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not portolan.is_redirect_uri(redirect_uri) then
    return false;
  end if;
  if exists (
    select from portolan.clients c
    where c.id = 'portolan-console' and c.redirect_uri = array[follow_console.redirect_uri])
  then
    return true; -- writes nothing, so that a standby can be asked too
  end if;
  insert into portolan.clients as c (id, name, description, redirect_uri, public, confirm, grants)
  values (
    'portolan-console', 'Portolan', 'The pages of the service itself; made at each start.',
    array[follow_console.redirect_uri], true, false, '{authorization_code,refresh_token}')
  on conflict (id) do update set redirect_uri = excluded.redirect_uri;
  return true;
end
$$;

COMMENT ON FUNCTION portolan.follow_console(redirect_uri text) IS 'Makes the client of the gateway''s own pages, or gives it another address.';

CREATE FUNCTION portolan.follow_ddl() RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (select from portolan.rules) and not exists (select from portolan.row_security)
    and not exists (select from portolan.versioned_tables v where v.active)
  then
    return;
  end if;
  perform portolan.one_at_a_time();
  return query select c.problem, c.busy from portolan.compile() c;
  return query select h.problem, h.busy from portolan.follow_history() h;
exception
  when lock_not_available then
    problem := 'another transaction changes accounts or rights';
    busy := true;
    return next;
end
$$;

COMMENT ON FUNCTION portolan.follow_ddl() IS 'Brings what Portolan compiles in line with the catalogue.';

CREATE FUNCTION portolan.follow_history() RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  v_table record;
  v_following text := current_setting('portolan.following', true);
begin
  perform set_config('portolan.following', 'on', true);
  for v_table in
    select v.* , c.oid is null as gone
    from portolan.versioned_tables v left join pg_class c on c.oid = v.relation
    where v.active
      and (c.oid is null or v.problem is not null or v.seen <> portolan.history_stamp(v.relation, v.history))
  loop
    begin
      if v_table.gone then
        perform portolan.close_history(h.oid) from pg_class h where h.oid = v_table.history;
        delete from portolan.versioned_tables v where v.relation = v_table.relation;
      else
        perform portolan.install_history(v_table.relation);
      end if;
    exception
      when lock_not_available or deadlock_detected then
        problem := format('%s or its history is in use', v_table.relation);
        busy := true;
        return next;
      when others then
        problem := format('the history of %s: %s', v_table.relation, sqlerrm);
        busy := false;
        update portolan.versioned_tables v set problem = sqlerrm where v.relation = v_table.relation;
        return next;
    end;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.follow_history() IS 'Brings the histories in line with their tables.';

CREATE FUNCTION portolan.fresh_history(relation regclass) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (
    select from portolan.versioned_tables v
    where v.relation = fresh_history.relation and v.active and not v.filling and v.problem is null
      and v.mirrored = portolan.rights_stamp(v.relation))
  then
    raise exception 'the history of % is being brought in line with its rights: try again', relation using errcode = 'PX409';
  end if;
  return true;
end
$$;

COMMENT ON FUNCTION portolan.fresh_history(relation regclass) IS 'True while the history of a table has the rights of the table.';

CREATE FUNCTION portolan.grant_role(role text, member text, inherit boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if role = member then
    return;
  end if;
  -- PostgreSQL 16 keeps the choice with the membership, before that with the member (NOINHERIT)
  if current_setting('server_version_num')::integer >= 160000 then
    execute format('grant %I to %I with inherit %s, set true', role, member, case when inherit then 'true' else 'false' end);
  elsif not exists (
    select from pg_auth_members m
    where m.roleid = to_regrole(quote_ident(role)) and m.member = to_regrole(quote_ident(grant_role.member))
  ) then
    execute format('grant %I to %I', role, member);
  end if;
end
$$;

COMMENT ON FUNCTION portolan.grant_role(role text, member text, inherit boolean) IS 'Makes one role a member of another.';

CREATE FUNCTION portolan.harden() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_statement text;
  v_others text;
begin
  if not (select r.rolsuper from pg_roles r where r.rolname = current_user)
    or not exists (select from portolan.open_doors())
  then
    return;
  end if;
  select string_agg(quote_ident(r.rolname), ', ') into v_others
  from pg_roles r
  where r.rolcanlogin and not r.rolsuper and r.rolname !~ '@'
    and not exists (select from portolan.logins l where l.role = r.rolname);
  for v_statement in select d.statement from portolan.open_doors() d loop
    if v_others is not null then
      execute regexp_replace(regexp_replace(v_statement, '^revoke', 'grant'), 'from public$', 'to ' || v_others);
    end if;
    execute v_statement;
  end loop;
end
$_$;

COMMENT ON FUNCTION portolan.harden() IS 'Closes what SQL of accounts could do to everybody else.';

CREATE FUNCTION portolan.has_reference_system(srs integer) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_schema text := portolan.postgis_schema();
  v_known boolean;
begin
  if v_schema is null then
    return true;
  end if;
  execute format('select exists (select from %I.spatial_ref_sys s where s.srid = $1)', v_schema) into v_known using srs;
  return v_known;
end
$_$;

COMMENT ON FUNCTION portolan.has_reference_system(srs integer) IS 'Whether the database knows a coordinate reference system.';

CREATE FUNCTION portolan.has_workflow(relation regclass) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (
    select from pg_trigger t where t.tgrelid = relation and t.tgname = '_700_workflow' and t.tgparentid = 0)
$$;

COMMENT ON FUNCTION portolan.has_workflow(relation regclass) IS 'Whether rows of a table are drafted, reviewed and published.';

CREATE FUNCTION portolan.hash_password(password text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_schema text;
  v_hash text;
begin
  if password is null then
    return null;
  end if;
  if password ~ '^\$(argon2(id|i|d)\$v=\d+\$[mtp]=\d+,[mtp]=\d+,[mtp]=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+|2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}|scrypt\$ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+)$' then
    return password;
  end if;
  if octet_length(password) not between 1 and 1024 then
    raise exception 'a password has 1 to 1024 bytes' using errcode = 'PX400';
  end if;
  -- bcrypt reads no more than 72 bytes: what is longer would be cut without a word
  if octet_length(password) > 72 then
    raise exception 'a password of more than 72 bytes must be passed as an argon2 hash' using errcode = 'PX400';
  end if;
  select n.nspname into v_schema
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pgcrypto';
  if v_schema is null then
    raise exception 'without the extension pgcrypto a password must be passed as a hash (argon2, bcrypt or scrypt)'
      using errcode = 'PX400', hint = 'create extension pgcrypto';
  end if;
  execute format('select %1$I.crypt($1, %1$I.gen_salt(''bf'', 10))', v_schema) into v_hash using password;
  return v_hash;
end
$_$;

COMMENT ON FUNCTION portolan.hash_password(password text) IS 'The hash of a password; a hash is kept as it is.';

CREATE FUNCTION portolan.hinted_type(hint text) RETURNS regtype
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select t.oid from pg_catalog.pg_type t
    where t.oid operator(pg_catalog.=) pg_catalog.to_regtype(hint) and t.typtype operator(pg_catalog.<>) 'p');
exception
  when syntax_error or invalid_parameter_value or feature_not_supported then
    return null; -- setof int4, numeric(4000, 2), int4(5)
end
$$;

COMMENT ON FUNCTION portolan.hinted_type(hint text) IS 'The type that a hint of a method names.';

CREATE FUNCTION portolan.history(relation regclass, key text) RETURNS TABLE(valid_from timestamp with time zone, valid_until timestamp with time zone, written_by text, ended_by text, record jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_history regclass := portolan.history_of(relation);
  v_names boolean := has_column_privilege(v_history, 'portolan_by', 'select');
begin
  return query execute format(
    'select h.portolan_from, nullif(h.portolan_to, ''infinity''), portolan.writer(%s), portolan.writer(%s), %s '
    'from %s h where %s and portolan.fresh_history(%L::regclass) order by h.portolan_from',
    case when v_names then 'h.portolan_by' else 'null' end,
    case when v_names then 'h.portolan_ended_by' else 'null' end,
    portolan.readable_record(relation, v_history, 'h'), v_history, portolan.key_condition(relation, key, 'h'), relation);
end
$$;

COMMENT ON FUNCTION portolan.history(relation regclass, key text) IS 'The versions of a row, oldest first.';

CREATE FUNCTION portolan.history_of(relation regclass) RETURNS regclass
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_history regclass;
begin
  select v.history into v_history from portolan.versioned_tables v where v.relation = history_of.relation and v.active and not v.filling;
  if v_history is null then
    raise exception '% is not versioned: a super user switches it on with select portolan.enable_versioning(''%'')',
      relation, relation using errcode = 'PX400';
  end if;
  return v_history;
end
$$;

COMMENT ON FUNCTION portolan.history_of(relation regclass) IS 'The twin that holds the history of a table.';

CREATE FUNCTION portolan.history_stamp(relation oid, history oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION portolan.history_stamp(relation oid, history oid) IS 'Changes with whatever of a table its history must follow.';

CREATE FUNCTION portolan.history_trigger_body(relation regclass, member oid, history regclass) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select format($body$
declare
  v_by constant text := concat_ws('/', session_user, nullif(current_setting('portolan.user', true), ''));
  v_xid constant xid8 := pg_current_xact_id();
  v_again constant boolean := current_setting('portolan.wrote_%1$s', true) = v_xid::text;
  v_stale_snapshot constant boolean := current_setting('transaction_isolation') in ('repeatable read', 'serializable');
  v_replaced bigint := 0;
  v_ended bigint;
begin
  if tg_op = 'TRUNCATE' then
    if v_stale_snapshot then
      raise exception 'TRUNCATE of a table with history takes read committed: its snapshot may not see all that it empties'
        using errcode = 'feature_not_supported', hint = 'use DELETE, or set transaction isolation level read committed';
    end if;
    delete from %2$s h where h.portolan_to = 'infinity' and h.portolan_tx = v_xid %4$s;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    where h.portolan_to = 'infinity' %4$s;
    %7$s;
    return null;
  end if;
  -- the last version of a row is the one of the highest number: the index finds it, and ending it changes no index
  if tg_op <> 'INSERT' then%8$s
    if v_again is true then
      delete from %2$s h using old_rows o where %3$s and h.portolan_to = 'infinity' and h.portolan_tx = v_xid;
      get diagnostics v_replaced = row_count;
    end if;
    update %2$s h
    set portolan_to = greatest(now(), h.portolan_from + interval '1 microsecond'), portolan_ended_by = v_by
    from old_rows o
    where %3$s and h.portolan_to = 'infinity';
    get diagnostics v_ended = row_count;
    if v_stale_snapshot and v_replaced + v_ended <> (select count(*) from old_rows) then
      perform portolan.refuse_version(%5$s); -- history was switched on since the snapshot
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if v_stale_snapshot then
      %6$s
      on conflict do nothing; -- raises 40001 where it does not see what it conflicts with
    else
      %6$s;
    end if;
  end if;
  if v_again is not true then
    perform set_config('portolan.wrote_%1$s', v_xid::text, true);
  end if;
  if tg_op = 'INSERT' then
    perform from new_rows limit 1;
  else
    perform from old_rows limit 1;
  end if;
  if found then
    %7$s;
  end if;
  return null;
end
$body$,
    relation::oid, history,
    format('%s and h.portolan_version = (select max(x.portolan_version) from %s x where %s)', k.old_match, history, k.old_last),
    -- whoever truncates a partition ends the versions of its rows alone
    case when member <> relation then format('and %s', coalesce(pg_get_partition_constraintdef(member), 'true')) else '' end,
    member,
    format($insert$insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
      select %3$s,
        case when l.portolan_to = 'infinity' then portolan.refuse_version(%4$s) else greatest(now(), l.portolan_to) end,
        'infinity', v_xid, v_by, coalesce(l.portolan_version, 0) + 1
      from new_rows n
        left join lateral (
          select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1
        ) l on true
      where portolan.planned_columns(%4$s, %6$s)$insert$,
      history, c.names, c.values, member, k.new_match, portolan.shape_stamp(member)),
    -- where the table has events these tell of the write: see table_stamp
    format($log$insert into portolan.outbox (relation, operation)
      select %1$s, 'v'
      where not exists (select from portolan.event_tables t where t.relation = %2$s and t.active)$log$,
      member, relation::oid),
    -- until all rows are copied (version_portion), the first who touches one writes what it was
    case when exists (select from portolan.versioned_tables v where v.relation = history_trigger_body.relation and v.filling)
    then format($insert$
    insert into %1$s (%2$s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version)
      select %3$s, greatest(now() - interval '1 microsecond', l.portolan_to), 'infinity', '3', null,
        coalesce(l.portolan_version, 0) + 1
      from old_rows n
        left join lateral (
          select h.portolan_to, h.portolan_version from %1$s h where %5$s order by h.portolan_version desc limit 1
        ) l on true
      where portolan.planned_columns(%4$s, %6$s) and l.portolan_to is distinct from 'infinity'
      on conflict do nothing;$insert$,
      history, c.names, c.values, member, k.new_match, portolan.shape_stamp(member)) end)
  from
    (
      select
        string_agg(format('h.%1$I = o.%1$I', name), ' and ') as old_match,
        string_agg(format('x.%1$I = o.%1$I', name), ' and ') as old_last,
        string_agg(format('h.%1$I = n.%1$I', name), ' and ') as new_match
      from unnest(portolan.key_columns(relation)) name
    ) k,
    (
      select
        string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names,
        string_agg(format('n.%I', a.attname), ', ' order by a.attnum) as values
      from pg_attribute a
      where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    ) c
$_$;

COMMENT ON FUNCTION portolan.history_trigger_body(relation regclass, member oid, history regclass) IS 'The body of the trigger function that keeps the history of one table.';

CREATE FUNCTION portolan.identifier(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if coalesce(name, '') = '' or octet_length(name) > 63 then
    raise exception 'a name has 1 to 63 bytes: %', quote_nullable(left(name, 100)) using errcode = 'PX400';
  end if;
  return quote_ident(name);
end
$$;

COMMENT ON FUNCTION portolan.identifier(name text) IS 'A name as SQL writes it.';

CREATE FUNCTION portolan.identifiers(names jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_names text := (
    select string_agg(portolan.identifier(n.name), ', ' order by n.place)
    from jsonb_array_elements_text(names) with ordinality n (name, place));
begin
  if v_names is null then
    raise exception 'no column is named' using errcode = 'PX400';
  end if;
  return v_names;
end
$$;

COMMENT ON FUNCTION portolan.identifiers(names jsonb) IS 'Names of a JSON array as SQL writes them, with commas.';

CREATE FUNCTION portolan.index_ddl(change jsonb, relation text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
begin
  case change ->> 'op'
    when 'create_index' then
      if coalesce(change ->> 'method', 'btree') <> all ('{btree,hash,gist,spgist,gin,brin}') then
        raise exception 'there is no such method of an index: %', quote_literal(change ->> 'method') using errcode = 'PX400';
      end if;
      return format('create %sindex %son %s%s (%s);', case when change -> 'unique' = 'true' then 'unique ' else '' end,
        case when change ->> 'name' is not null then portolan.identifier(change ->> 'name') || ' ' else '' end, relation,
        ' using ' || (change ->> 'method'), portolan.identifiers(change -> 'columns'));
    when 'drop_index' then
      return coalesce((
        select format('drop index %s;', i.indexrelid::regclass)
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = relation::regclass and c.relname = change ->> 'name'
      ), portolan.nothing_of('index', change ->> 'name', relation));
    when 'add_constraint' then
      return format('alter table %s add %s;', relation, portolan.constraint_sql(change));
    when 'drop_constraint' then
      return coalesce((
        select format('alter table %s drop constraint %I;', relation, c.conname)
        from pg_constraint c
        where c.conrelid = relation::regclass and c.conname = change ->> 'name'
      ), portolan.nothing_of('constraint', change ->> 'name', relation));
    when 'comment' then
      if change ->> 'column' is not null then
        return format('comment on column %s.%s is %L;', relation, portolan.identifier(change ->> 'column'), change ->> 'comment');
      end if;
      return format('comment on %s %s is %L;', (
        select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end
        from pg_class c where c.oid = relation::regclass), relation, change ->> 'comment');
  end case;
end
$$;

COMMENT ON FUNCTION portolan.index_ddl(change jsonb, relation text) IS 'SQL that makes or drops an index or a constraint, or sets a comment.';

CREATE FUNCTION portolan.index_history(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_key text;
  v_index record;
  v_column record;
begin
  select string_agg(quote_ident(k), ', ') into v_key from unnest(portolan.key_columns(relation)) k;
  if not exists (
    select from pg_index i
    where i.indrelid = history and i.indisunique
      and array(select a.attname::text from unnest(i.indkey::smallint[]) with ordinality k (n, o)
        join pg_attribute a on a.attrelid = history and a.attnum = k.n order by k.o)
        = portolan.key_columns(relation) || 'portolan_version'::text)
  then
    execute format('alter table %s add column if not exists portolan_version integer', history);
    for v_index in select i.indexrelid::regclass as name from pg_index i where i.indrelid = history and i.indisunique loop
      execute format('drop index %s', v_index.name);
    end loop;
    execute format(
      'update %1$s h set portolan_version = n.version '
      'from (select x.ctid as place, row_number() over (partition by %2$s order by x.portolan_from, x.portolan_to) as version '
      '  from %1$s x) n '
      'where h.ctid = n.place and h.portolan_version is distinct from n.version', history, v_key);
    execute format('create unique index on %s (%s, portolan_version)', history, v_key);
  end if;
  for v_column in
    select distinct b.attname, m.amname
    from pg_index i
      join pg_class x on x.oid = i.indexrelid
      join pg_am m on m.oid = x.relam
      join pg_attribute b on b.attrelid = relation and b.attnum = i.indkey[0]
    where i.indrelid = relation and m.amname in ('gist', 'spgist', 'gin', 'brin') and i.indnatts = 1 and i.indkey[0] > 0
      and not exists (
        select from pg_index j
          join pg_class y on y.oid = j.indexrelid
          join pg_attribute h on h.attrelid = history and h.attnum = j.indkey[0]
        where j.indrelid = history and y.relam = m.oid and h.attname = b.attname)
  loop
    execute format('create index on %s using %s (%I)', history, v_column.amname, v_column.attname);
  end loop;
end
$_$;

COMMENT ON FUNCTION portolan.index_history(relation regclass, history regclass) IS 'Makes the indexes of a twin that are missing.';

CREATE FUNCTION portolan.install_ddl_trigger() RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not exists (select from pg_event_trigger e where e.evtname = 'portolan_follow_ddl') then
    create event trigger portolan_follow_ddl on ddl_command_end
      when tag in (
        'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE SCHEMA', 'ALTER TABLE', 'DROP TABLE', 'ALTER SCHEMA',
        'CREATE POLICY', 'ALTER POLICY', 'DROP POLICY', 'GRANT', 'REVOKE', 'DROP OWNED')
      execute function portolan.tg__follow_ddl();
  end if;
  return true;
exception
  when insufficient_privilege then
    return false;
end
$$;

COMMENT ON FUNCTION portolan.install_ddl_trigger() IS 'Makes the event trigger with which Portolan follows DDL, where it may.';

CREATE FUNCTION portolan.install_events(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_member regclass;
  v_members oid[];
  v_function text;
  v_known oid[] := coalesce(
    (select t.members from portolan.event_tables t where t.relation = install_events.relation and t.active), '{}');
  v_unseen boolean := v_known = '{}';
begin
  perform portolan.check_recorded(relation, 'events are');
  v_members := portolan.event_members(relation);
  foreach v_member in array v_members loop
    v_function := format('portolan.tg_%s__emit_event', v_member::oid);
    if not exists (
      select from pg_proc p
      where p.oid = to_regprocedure(v_function || '()') and p.prosrc = portolan.event_trigger_body(v_member))
    then
      execute format(
        'create or replace function %s() returns trigger language plpgsql volatile security definer as %L',
        -- definer: nobody but the owner may write the outbox
        v_function, portolan.event_trigger_body(v_member));
      execute format('revoke execute on function %s() from public', v_function);
    end if;
    if portolan.event_trigger_count(v_member) < 4 then
      begin
        execute format(
          'create or replace trigger _900_emit_insert after insert on %s '
          'referencing new table as new_rows for each statement execute function %s()', v_member, v_function);
        execute format(
          'create or replace trigger _900_emit_update after update on %s '
          'referencing old table as old_rows new table as new_rows '
          'for each statement execute function %s()', v_member, v_function);
        execute format(
          'create or replace trigger _900_emit_delete after delete on %s '
          'referencing old table as old_rows for each statement execute function %s()', v_member, v_function);
        execute format(
          'create or replace trigger _900_emit_truncate after truncate on %s '
          'for each statement execute function %s()', v_member, v_function);
      exception
        when insufficient_privilege then
          raise exception 'Portolan may not make triggers on %', v_member
            using errcode = '42501', hint = format('grant trigger on %s to %I', v_member, current_user);
      end;
      if not v_unseen and v_member::oid = any (v_known) then
        v_unseen := true;
      elsif not v_unseen then
        -- a partition that came with rows, which no event showed
        execute format('select exists (select from only %s)', v_member) into v_unseen;
      end if;
    end if;
    perform portolan.note_shape(v_member);
  end loop;

  for v_member in select m from unnest(v_known) m where m <> all (v_members) loop
    v_unseen := true; -- its rows went with it
    continue when exists (select from portolan.event_tables t where t.relation = v_member and t.active);
    perform portolan.drop_own_triggers(v_member, 'emit_event');
  end loop;

  insert into portolan.event_tables as t (relation, active, members)
  values (relation, true, v_members)
  on conflict on constraint event_tables_pkey do update set active = true, members = excluded.members
  where not t.active or t.members <> excluded.members;
  if v_unseen then
    -- whoever resumes from before this must read the table again
    insert into portolan.outbox (relation, operation) values (relation, 't');
    perform pg_notify('portolan', '');
  end if;
end
$$;

COMMENT ON FUNCTION portolan.install_events(relation regclass) IS 'Makes the triggers of events on a table and its partitions.';

CREATE FUNCTION portolan.install_history(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_members oid[];
  v_member regclass;
  v_unseen boolean;
begin
  select v.* into v_table from portolan.versioned_tables v where v.relation = install_history.relation;
  v_members := portolan.event_members(relation);
  -- not kept yet, a partition more or less, no twin yet, one that was dropped, or one of the time before versions were numbered
  v_unseen := not v_table.active or v_table.members <> v_members or not exists (
    select from pg_attribute a where a.attrelid = v_table.history and a.attname = 'portolan_version');
  if v_unseen then
    execute format('lock table %s in share row exclusive mode', relation);
  end if;
  v_table.history := portolan.prepare_history(relation);

  foreach v_member in array v_members loop
    perform portolan.install_history_triggers(relation, v_member, v_table.history);
  end loop;
  for v_member in select m from unnest(v_table.members) m where m <> all (v_members) loop
    perform portolan.drop_own_triggers(v_member, 'keep_history');
  end loop;
  if v_unseen and not v_table.filling then
    perform portolan.fill_history(relation, v_table.history);
  end if;
  update portolan.versioned_tables v
  set active = true, members = v_members, problem = null
  where v.relation = install_history.relation
    and (v.active, v.members, v.problem) is distinct from (true, v_members, null);
  update portolan.versioned_tables v
  set seen = portolan.history_stamp(relation, v_table.history)
  where v.relation = install_history.relation;
end
$$;

COMMENT ON FUNCTION portolan.install_history(relation regclass) IS 'Makes the history of a table, or brings it in line with the table.';

CREATE FUNCTION portolan.install_history_triggers(relation regclass, member regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_function text := format('portolan.tg_%s__keep_history', member::oid);
  v_body text := portolan.history_trigger_body(relation, member, history);
begin
  if not exists (
    select from pg_proc p where p.oid = to_regprocedure(v_function || '()') and p.prosrc = v_body)
  then
    execute format(
      'create or replace function %s() returns trigger language plpgsql volatile security definer '
      -- definer: nobody but the owner may write the history
      'set search_path = pg_catalog, pg_temp '
      -- a plan that was made while the history was small must not read all of it when it has grown
      'set enable_seqscan = off as %L',
      v_function, v_body);
    execute format('revoke execute on function %s() from public', v_function);
  end if;
  if (select count(*) from pg_trigger t where t.tgrelid = member and t.tgfoid = to_regprocedure(v_function || '()')) < 4 then
    execute format(
      'create or replace trigger _800_keep_inserted after insert on %s referencing new table as new_rows '
      'for each statement execute function %s()', member, v_function);
    execute format(
      'create or replace trigger _800_keep_updated after update on %s '
      'referencing old table as old_rows new table as new_rows for each statement execute function %s()', member, v_function);
    execute format(
      'create or replace trigger _800_keep_deleted after delete on %s referencing old table as old_rows '
      'for each statement execute function %s()', member, v_function);
    execute format(
      'create or replace trigger _800_keep_truncated after truncate on %s for each statement execute function %s()',
      member, v_function);
  end if;
exception
  when insufficient_privilege then
    raise exception 'Portolan may not make triggers on %', member
      using errcode = '42501', hint = format('grant trigger on %s to %I', member, current_user);
end
$$;

COMMENT ON FUNCTION portolan.install_history_triggers(relation regclass, member regclass, history regclass) IS 'Makes the triggers that keep the history of a table or partition.';

CREATE FUNCTION portolan.install_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_function text := format('portolan.tg_%s__audit_workflow', relation::oid);
  v_text text := case when cardinality(portolan.key_columns(relation)) = 0 then 'null' else portolan.key_text(relation, 'r') end;
begin
  execute format(
    'create or replace function %s() returns trigger language plpgsql volatile security definer '
    -- definer: whoever writes the table may not write the audit
    'set search_path = pg_catalog, pg_temp as %L',
    v_function,
    format($body$
declare
  v_states constant text[] := '{drafted,reviewed,published}';
  r %1$s := case when tg_op = 'DELETE' then old else new end;
begin
  insert into portolan.audit (event, account, address, details)
  values (
    'workflow.' || case tg_op when 'DELETE' then 'removed' else v_states[new.portolan_status] end,
    portolan.actor(),
    nullif(current_setting('portolan.ip', true), ''),
    jsonb_build_object(
      'relation', %1$L,
      'key', %2$s,
      'from', case tg_op when 'INSERT' then null else v_states[old.portolan_status] end,
      'to', case tg_op when 'DELETE' then null else v_states[new.portolan_status] end));
  return null;
end
$body$, relation, v_text));
  execute format('revoke execute on function %s() from public', v_function);
  execute format(
    'create or replace trigger _700_workflow before insert or update or delete on %s '
    'for each row execute function portolan.tg__workflow()', relation);
  execute format(
    'create or replace trigger _800_audit_workflow after insert or delete on %s for each row execute function %s()',
    relation, v_function);
  execute format(
    'create or replace trigger _800_audit_transition after update on %s for each row '
    'when (old.portolan_status <> new.portolan_status) execute function %s()', relation, v_function);
end
$_$;

COMMENT ON FUNCTION portolan.install_workflow(relation regclass) IS 'Makes the triggers of workflow on a table.';

CREATE FUNCTION portolan.invite_user(name text, lifetime interval DEFAULT '3 days'::interval) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users := portolan.existing_account(name);
  v_token text := portolan.new_secret();
begin
  if v_user.name = 'anonymous' then
    raise exception 'the account "anonymous" has no password' using errcode = 'PX400';
  end if;
  if lifetime is null or lifetime not between interval '1 minute' and interval '31 days' then
    raise exception 'a link is valid from 1 minute to 31 days' using errcode = 'PX400';
  end if;
  delete from portolan.one_time_links l where l.user_name = v_user.name;
  insert into portolan.one_time_links (hash, user_name, expires_at)
  values (encode(sha256(convert_to(v_token, 'UTF8')), 'hex'), v_user.name, clock_timestamp() + lifetime);
  insert into portolan.audit (event, account) values ('user.invited', v_user.name);
  return v_token;
end
$$;

COMMENT ON FUNCTION portolan.invite_user(name text, lifetime interval) IS 'A token for BASE_URL/password?token=…, with which an account sets its password once.';

CREATE FUNCTION portolan.is_large(relation regclass) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_large boolean;
begin
  -- the first rows are read, and not what was counted once
  execute format('select exists (select from %s offset 100000)', relation) into v_large;
  return v_large;
exception
  when insufficient_privilege then
    return false; -- what may not be read is not copied either
end
$$;

COMMENT ON FUNCTION portolan.is_large(relation regclass) IS 'Whether work on all rows of a table is not for a request.';

CREATE FUNCTION portolan.is_of_super_user(method text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (
    select from portolan.methods m join portolan.users u on u.name = m.owner
    where m.method = is_of_super_user.method and pg_has_role(u.role, 'owner@' || current_database(), 'usage'))
$$;

COMMENT ON FUNCTION portolan.is_of_super_user(method text) IS 'Whether a super user owns the method of that name.';

CREATE FUNCTION portolan.is_own_policy(name name) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select name ~ '^portolan_(open|filter|rules_.*|workflow_.*)$'
$_$;

COMMENT ON FUNCTION portolan.is_own_policy(name name) IS 'Whether a policy is one that Portolan makes.';

CREATE FUNCTION portolan.is_redirect_uri(uri text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select coalesce(
    length(uri) <= 2000
    and uri ~ '^(https://([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+|https://\[[0-9A-Fa-f:.]+\]|http://(127\.0\.0\.1|\[::1\]|localhost))(:[0-9]{1,5})?([/?][A-Za-z0-9._~:/?@!$&()*+,;=%''\[\]-]*)?$'
    and split_part(uri, '?', 1) !~* '/(\.|%2e){1,2}(/|$)',
    false)
$_$;

COMMENT ON FUNCTION portolan.is_redirect_uri(uri text) IS 'Whether an address may be registered as a redirect URI.';

CREATE FUNCTION portolan.is_restored() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (select from portolan.noted_database n where n.identity <> portolan.database_identity())
$$;

COMMENT ON FUNCTION portolan.is_restored() IS 'Whether this database is a restored or copied one that was not repaired yet.';

CREATE FUNCTION portolan.is_super_user() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(
    (select pg_has_role(m.role, 'owner@' || current_database(), 'usage') from portolan.me m),
    has_schema_privilege('portolan', 'create'))
$$;

COMMENT ON FUNCTION portolan.is_super_user() IS 'Whether the caller is a super user.';

CREATE FUNCTION portolan.is_team_relation(relation oid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = relation
      and n.nspname !~ '^pg_'
      and n.nspname not in ('information_schema', 'portolan')
      and not exists (select from portolan.history_schemas h where h.name = n.nspname)
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
$$;

COMMENT ON FUNCTION portolan.is_team_relation(relation oid) IS 'Whether a relation is a team''s own.';

CREATE FUNCTION portolan.is_versioned(relation regclass) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select exists (select from portolan.versioned_tables v where v.relation = is_versioned.relation and v.active and not v.filling)
$$;

COMMENT ON FUNCTION portolan.is_versioned(relation regclass) IS 'Whether the history of a table is kept.';

CREATE FUNCTION portolan.join_roles(account portolan.users) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select portolan.grant_role(m.role, m.member, m.inherit)
  from portolan.wanted_memberships() m
  where account.role in (m.role, m.member)
$$;

COMMENT ON FUNCTION portolan.join_roles(account portolan.users) IS 'Gives the role of an account its memberships.';

CREATE FUNCTION portolan.judge_sql(relation regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO ''
    AS $_$
declare
  v_class record;
  v_permissive text;
  v_restrictive text;
begin
  select c.oid, c.relname, c.relnamespace, c.relrowsecurity into v_class
  from pg_catalog.pg_class c where c.oid = relation;
  select
    pg_catalog.string_agg(q.condition, ' or ') filter (where q.polpermissive),
    pg_catalog.string_agg(q.condition, ' and ') filter (where not q.polpermissive)
  into v_permissive, v_restrictive
  from (
    select
      p.polpermissive,
      case
        when p.polroles = '{0}' then pg_catalog.format('(%s)', e.using)
        when p.polpermissive then pg_catalog.format('((select %s) and (%s))', h.has, e.using)
        else pg_catalog.format('((select not (%s)) or (%s))', h.has, e.using)
      end as condition
    from pg_catalog.pg_policy p,
      lateral (select coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'true') as using) e,
      lateral (
        select pg_catalog.string_agg(
          case when r.role = 0 then 'true' else pg_catalog.format('pg_catalog.pg_has_role(%s::oid, ''usage'')', r.role) end,
          ' or ') as has
        from pg_catalog.unnest(p.polroles) r (role)) h
    where p.polrelid = relation and p.polcmd in ('r', '*')) q;
  return pg_catalog.format(
    $statement$
select
  portolan.event_version(%1$s::oid) as version,
  pg_catalog.has_schema_privilege(%2$s::oid, 'usage') and portolan.access(%1$s::oid) <> 'deny' as usage,
  array(
    select a.attnum from pg_catalog.pg_attribute a
    where a.attrelid = %1$s::oid and a.attnum > 0 and not a.attisdropped
      and pg_catalog.has_column_privilege(%1$s::oid, a.attnum, 'select')) as columns,
  array(
    select case when (select not pg_catalog.row_security_active(%1$s::oid)) then true else ((%4$s) and (%5$s)) is true end
    from pg_catalog.unnest($1::text[]::%3$s[]) as %6$I) as visible
$statement$,
    v_class.oid, v_class.relnamespace, relation, coalesce(v_permissive, 'false'), coalesce(v_restrictive, 'true'),
    v_class.relname);
end
$_$;

COMMENT ON FUNCTION portolan.judge_sql(relation regclass) IS 'The text of the statement that judges records of a table for a role.';

CREATE FUNCTION portolan.key_columns(relation oid) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(array_agg(a.attname::text order by k.place), '{}')
  from pg_constraint c
    cross join unnest(c.conkey) with ordinality k (attnum, place)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
  where c.conrelid = relation and c.contype = 'p'
$$;

COMMENT ON FUNCTION portolan.key_columns(relation oid) IS 'The columns of a table''s primary key, in its order.';

CREATE FUNCTION portolan.key_condition(relation regclass, key text, alias text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_columns text[] := portolan.key_columns(relation);
  v_values text[] := array[key];
  v_condition text;
begin
  if cardinality(v_columns) = 0 then
    raise exception '% has no primary key', relation using errcode = 'PX400';
  elsif cardinality(v_columns) > 1 then
    v_values := array(
      select (
        select coalesce(convert_from(decode(string_agg(
          case when m[1] ~ '^%[0-9A-Fa-f]{2}$' then substr(m[1], 2) else encode(convert_to(m[1], 'UTF8'), 'hex') end, ''),
          'hex'), 'UTF8'), '')
        from regexp_matches(p.part, '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') m)
      from unnest(string_to_array(key, ',')) with ordinality p (part, place)
      order by p.place);
  end if;
  if key is null or cardinality(v_values) <> cardinality(v_columns) then
    return 'false';
  end if;
  select string_agg(
    format('%I.%I = %L::%s', alias, c.name, c.value, format_type(a.atttypid, a.atttypmod)), ' and ' order by c.place)
  into v_condition
  from unnest(v_columns, v_values) with ordinality c (name, value, place)
    join pg_attribute a on a.attrelid = relation and a.attname = c.name;
  -- a value that is none of its type shows here
  execute 'select ' || v_condition || ' from (select '
    || (select string_agg(format('null::%s as %I', format_type(a.atttypid, a.atttypmod), a.attname), ', ')
        from pg_attribute a where a.attrelid = relation and a.attname = any (v_columns))
    || format(') as %I', alias);
  return v_condition;
exception
  when data_exception or character_not_in_repertoire then
    return 'false';
end
$_$;

COMMENT ON FUNCTION portolan.key_condition(relation regclass, key text, alias text) IS 'The condition that a row of the table has the key that the text stands for.';

CREATE FUNCTION portolan.key_text(relation regclass, alias text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_columns text[] := portolan.key_columns(relation);
begin
  if cardinality(v_columns) = 0 then
    raise exception '% has no primary key', relation using errcode = 'PX400';
  elsif cardinality(v_columns) = 1 then
    return format('%I.%I::text', alias, v_columns[1]);
  end if;
  return (
    select string_agg(format('portolan.encode_key(%I.%I::text)', alias, c.name), ' || '','' || ' order by c.place)
    from unnest(v_columns) with ordinality c (name, place));
end
$$;

COMMENT ON FUNCTION portolan.key_text(relation regclass, alias text) IS 'SQL that gives the key of a row as the one text that stands for it.';

CREATE FUNCTION portolan.leaky_functions() RETURNS TABLE(signature text, from_postgis boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select p.oid::regprocedure::text, true
  from pg_proc p
    join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
  where p.proname in ('geometry_overlaps', 'geography_overlaps') and not p.proleakproof
  union all
  select p.oid::regprocedure::text, false
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^(numeric|enum)_(eq|lt|le|gt|ge)$'
    and not p.proleakproof
$_$;

COMMENT ON FUNCTION portolan.leaky_functions() IS 'The functions of comparisons that row level security keeps from using an index.';

CREATE FUNCTION portolan.lift_lockout(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  delete from portolan.lockouts l
  where l.user_name = v_user.name
    or l.key in (select p.address_key from portolan.lockouts p where p.user_name = v_user.name);
  insert into portolan.audit (event, account, address, details)
  values ('user.unlocked', v_user.name, nullif(current_setting('portolan.ip', true), ''),
    jsonb_build_object('by', portolan.actor()));
end
$$;

COMMENT ON FUNCTION portolan.lift_lockout(name text) IS 'Forgets the failures to sign in of an account: it need not wait.';

CREATE FUNCTION portolan.like_pattern(glob text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select replace(replace(regexp_replace(glob, '([\\%_])', '\\\1', 'g'), '*', '%'), '?', '_')
$$;

COMMENT ON FUNCTION portolan.like_pattern(glob text) IS 'A glob as a pattern of LIKE.';

CREATE TABLE portolan.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    event text NOT NULL,
    account text,
    client_id text,
    address text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE FUNCTION portolan.list_audit(event text DEFAULT NULL::text, account text DEFAULT NULL::text, since timestamp with time zone DEFAULT NULL::timestamp with time zone, before bigint DEFAULT NULL::bigint, most integer DEFAULT 100) RETURNS SETOF portolan.audit
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select a.*
  from portolan.audit a
  where starts_with(a.event, coalesce(list_audit.event, ''))
    and (list_audit.account is null or a.account = list_audit.account or a.details ->> 'by' = list_audit.account)
    and (since is null or a.at >= since)
    and (before is null or a.id < before)
  order by a.id desc
  limit most
$$;

COMMENT ON FUNCTION portolan.list_audit(event text, account text, since timestamp with time zone, before bigint, most integer) IS 'What was done with accounts, tokens, rights, methods and settings, latest first.';

CREATE FUNCTION portolan.list_clients(ids text[] DEFAULT NULL::text[]) RETURNS TABLE(id text, name text, redirect_uri text[], homepage text, description text, public boolean, confirm boolean, grants text[], refresh_reuse text, account text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.existing_client(wanted.id) from unnest(ids) wanted (id);
  return query
    select c.id, c.name, c.redirect_uri, c.homepage, c.description, c.public, c.confirm, c.grants, c.refresh_reuse,
      c.account
    from portolan.clients c
    where ids is null or c.id = any (ids)
    order by c.id;
end
$$;

COMMENT ON FUNCTION portolan.list_clients(ids text[]) IS 'The OAuth clients of these ids, or all that there are.';

CREATE FUNCTION portolan.list_constraints(relation regclass) RETURNS TABLE(name text, kind text, columns text[], definition text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select c.conname::text,
    case c.contype when 'p' then 'primary_key' when 'u' then 'unique' when 'f' then 'foreign_key' when 'c' then 'check'
      else 'other' end,
    array(
      select a.attname::text
      from unnest(c.conkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.attnum
      order by k.place),
    pg_get_constraintdef(c.oid)
  from pg_constraint c
  where c.conrelid = relation and c.contype in ('p', 'u', 'f', 'c', 'x')
    and not exists (
      select from unnest(c.conkey) k
      where not has_column_privilege(c.conrelid, k, 'select, insert, update, references'))
    and not exists (
      select from unnest(c.confkey) k
      where not has_column_privilege(c.confrelid, k, 'select, insert, update, references'))
  order by c.conname
$$;

COMMENT ON FUNCTION portolan.list_constraints(relation regclass) IS 'The constraints of a table, but for NOT NULL.';

CREATE FUNCTION portolan.list_indices(relation regclass) RETURNS TABLE(name text, columns text[], "unique" boolean, method text, constraint_name text, definition text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select x.relname::text,
    array(
      select coalesce(a.attname::text, pg_get_indexdef(i.indexrelid, k.place::integer, true))
      from unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0
      order by k.place),
    i.indisunique, m.amname::text, c.conname::text, pg_get_indexdef(i.indexrelid)
  from pg_index i
    join pg_class x on x.oid = i.indexrelid
    join pg_am m on m.oid = x.relam
    left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid and c.contype in ('p', 'u', 'x')
  where i.indrelid = relation
    and case
      when i.indexprs is not null or i.indpred is not null then has_table_privilege(i.indrelid, 'select')
      else not exists (
        select from unnest(i.indkey::smallint[]) k
        where not has_column_privilege(i.indrelid, k, 'select, insert, update, references'))
    end
  order by x.relname
$$;

COMMENT ON FUNCTION portolan.list_indices(relation regclass) IS 'The indexes of a table.';

CREATE FUNCTION portolan.list_jobs(id bigint DEFAULT NULL::bigint) RETURNS TABLE(id bigint, kind text, relation text, state text, done bigint, total bigint, started_by text, started timestamp with time zone, updated timestamp with time zone, error text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select j.id, j.kind, j.relation::text, j.state, j.done, j.total, j.started_by, j.started, j.updated, j.error
  from portolan.jobs j
  where list_jobs.id is null or j.id = list_jobs.id
  order by j.id desc
  limit 1000
$$;

COMMENT ON FUNCTION portolan.list_jobs(id bigint) IS 'The jobs, latest first, or the one of this number.';

CREATE FUNCTION portolan.list_methods(names text[] DEFAULT NULL::text[], must_exist boolean DEFAULT true) RETURNS TABLE(method text, q text, type_hints jsonb, type_formats jsonb, output_format text, srs integer, input_schema json, output_schema json, owner text, published boolean, description text, timeout_ms integer, max_rows integer, cache_seconds integer, callable boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_unknown text;
begin
  select n into v_unknown
  from unnest(names) n
  where must_exist and not exists (select from portolan.methods m where m.method = n);
  if v_unknown is not null then
    raise exception 'there is no method "%"', v_unknown using errcode = 'PX404';
  end if;
  return query
    select
      m.method, m.q, m.type_hints, m.type_formats, m.output_format, m.srs,
      case when fresh then m.input_schema end, case when fresh then m.output_schema end,
      m.owner, m.published, m.description, m.timeout_ms, m.max_rows, m.cache_seconds, may_call
    from portolan.methods m,
      lateral (select portolan.relations_stamp(m.relations) = m.relations_stamp as fresh) s,
      lateral (select
        m.published
        or m.owner = (select me.name from portolan.me)
        or portolan.is_of_super_user(m.method) as may_call) c
    where case when names is null then may_call else m.method = any (names) end
    order by m.method;
end
$$;

COMMENT ON FUNCTION portolan.list_methods(names text[], must_exist boolean) IS 'The stored methods of these names, or all that the caller may call.';

CREATE FUNCTION portolan.list_rasters() RETURNS TABLE(schema text, "table" text, file text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select n.nspname::text, c.relname::text, r.file
  from portolan.rasters r join pg_class c on c.oid = r.relation join pg_namespace n on n.oid = c.relnamespace
  order by n.nspname, c.relname
$$;

COMMENT ON FUNCTION portolan.list_rasters() IS 'All rasters.';

CREATE UNLOGGED TABLE portolan.requests (
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    id text,
    account text,
    address text,
    method text,
    path text,
    status integer,
    ms real,
    code text,
    error_id text,
    error text,
    host text NOT NULL,
    process integer NOT NULL
);

COMMENT ON TABLE portolan.requests IS 'Requests of the last 24 hours, written by the gateways each second; under load not all that went well.';

CREATE FUNCTION portolan.list_requests(id text DEFAULT NULL::text, status text DEFAULT NULL::text, account text DEFAULT NULL::text, error_id text DEFAULT NULL::text, since timestamp with time zone DEFAULT NULL::timestamp with time zone, least_ms real DEFAULT NULL::real, before bigint DEFAULT NULL::bigint, most integer DEFAULT 100) RETURNS SETOF portolan.requests
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  if status !~ '^[1-5](\d\d|xx)$' then
    raise exception 'a status is a number such as 404, or a class such as 5xx' using errcode = 'PX400';
  end if;
  return query
    select r.*
    from portolan.requests r
    where (list_requests.id is null or r.id = list_requests.id)
      and (list_requests.error_id is null or r.error_id = list_requests.error_id)
      and (list_requests.account is null or r.account = lower(list_requests.account))
      and (list_requests.status is null
        or r.status between replace(list_requests.status, 'x', '0')::integer and replace(list_requests.status, 'x', '9')::integer)
      and (since is null or r.at >= since)
      and (least_ms is null or r.ms >= least_ms)
      and (before is null or r.number < before)
    order by r.number desc
    limit most;
end
$_$;

COMMENT ON FUNCTION portolan.list_requests(id text, status text, account text, error_id text, since timestamp with time zone, least_ms real, before bigint, most integer) IS 'Requests of the last 24 hours, latest first.';

CREATE TABLE portolan.rules (
    id integer NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    username text DEFAULT '*'::text NOT NULL,
    service text DEFAULT '*'::text NOT NULL,
    request text DEFAULT '*'::text NOT NULL,
    schema text DEFAULT '*'::text NOT NULL,
    "table" text DEFAULT '*'::text NOT NULL,
    iprange text DEFAULT '*'::text NOT NULL,
    access text NOT NULL,
    filter text,
    CONSTRAINT rules_access CHECK ((access = ANY (ARRAY['allow'::text, 'limit'::text, 'deny'::text]))),
    CONSTRAINT rules_filter_is_for_limit CHECK (((access = 'limit'::text) = (filter IS NOT NULL))),
    CONSTRAINT rules_id_is_positive CHECK ((id > 0)),
    CONSTRAINT rules_request CHECK ((request = ANY (ARRAY['*'::text, 'select'::text, 'insert'::text, 'update'::text, 'delete'::text]))),
    CONSTRAINT rules_service CHECK ((service = ANY (ARRAY['*'::text, 'graphql'::text, 'rpc'::text, 'sql'::text, 'events'::text, 'ogc'::text])))
);

CREATE FUNCTION portolan.list_rules(ids integer[] DEFAULT NULL::integer[]) RETURNS SETOF portolan.rules
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_unknown integer;
begin
  select w.id into v_unknown
  from unnest(ids) w (id)
  where not exists (select from portolan.rules r where r.id = w.id);
  if found then
    raise exception 'there is no rule %', v_unknown using errcode = 'PX404';
  end if;
  return query
    select r.* from portolan.rules r where ids is null or r.id = any (ids) order by r.priority, r.id;
end
$$;

COMMENT ON FUNCTION portolan.list_rules(ids integer[]) IS 'The rules of these numbers, or all, in the order in which they are asked.';

CREATE FUNCTION portolan.list_statements() RETURNS TABLE(pid integer, login text, account text, application text, address text, state text, started timestamp with time zone, transaction_started timestamp with time zone, waits_for text, blocked_by integer[], statement text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if not pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
    raise exception 'the owner of Portolan may not see what others run: grant pg_read_all_stats, pg_signal_backend to %',
      quote_ident(current_user) using errcode = '42501';
  end if;
  return query
    select
      a.pid, a.usename::text, u.name, nullif(a.application_name, ''), host(a.client_addr), a.state, a.query_start, a.xact_start,
      case when a.state = 'active' then a.wait_event_type || ': ' || a.wait_event end,
      case when a.wait_event_type = 'Lock' then pg_blocking_pids(a.pid) else '{}' end, a.query
    from pg_stat_activity a left join portolan.users u on u.role = a.usename and u.role_made
    where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
      and a.state <> 'idle'
    order by a.query_start, a.pid;
end
$$;

COMMENT ON FUNCTION portolan.list_statements() IS 'What runs in this database now, the longest first.';

CREATE FUNCTION portolan.list_statistics(since timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(minute timestamp with time zone, host text, requests integer, refused integer, failed integer, gone integer, p50_ms real, p95_ms real, event_lag_ms integer, map_queue integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select
    m.minute, m.host, m.requests, m.refused, m.failed, m.gone, portolan.duration_quantile(m.durations, 0.5),
    portolan.duration_quantile(m.durations, 0.95), m.event_lag_ms, m.map_queue
  from portolan.request_minutes m
  where m.minute > now() - interval '24 hours' and (since is null or m.minute >= date_trunc('minute', since))
  order by m.minute, m.host
$$;

COMMENT ON FUNCTION portolan.list_statistics(since timestamp with time zone) IS 'How many requests each host has answered in each minute.';

CREATE FUNCTION portolan.list_tables(schema_name text, table_name text DEFAULT NULL::text) RETURNS TABLE(schema text, name text, kind text, description text, rights text[], key text[], columns jsonb, foreign_keys jsonb, versioned_since timestamp with time zone, workflow text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS $$
  with relations as materialized (
    select c.oid, n.nspname, c.relname, c.relkind, pg_relation_is_updatable(c.oid, true) as writable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = schema_name and c.relname = coalesce(table_name, c.relname)
      and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and has_schema_privilege(n.oid, 'usage')
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), allowed as materialized (
    select r.*, array(
      select k.request
      from (values ('select', 0), ('insert', 8), ('update', 4), ('delete', 16)) k (request, bit)
      where (k.bit = 0 or r.writable & k.bit > 0)
        and case k.request
          when 'delete' then has_table_privilege(r.oid, 'delete')
          else has_any_column_privilege(r.oid, k.request)
        end
        and portolan.access(r.oid::regclass, k.request) <> 'deny'
    ) as rights
    from relations r
  )
  select
    a.nspname,
    a.relname,
    case a.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
    obj_description(a.oid, 'pg_class'),
    a.rights,
    case when c.names @> portolan.key_columns(a.oid)::name[] then portolan.key_columns(a.oid) else '{}' end,
    coalesce(c.columns, '[]'),
    coalesce(f.foreign_keys, '[]'),
    portolan.versioned_since(a.oid),
    case when portolan.has_workflow(a.oid)
      then ('{reader,author,reviewer,publisher}'::text[])[portolan.workflow_level(a.oid) + 1] end
  from allowed a
    left join lateral (
      select array_agg(t.attname) as names, jsonb_agg(jsonb_build_object(
        'name', t.attname,
        'type', format_type(t.atttypid, t.atttypmod),
        'nullable', not t.attnotnull,
        'has_default', t.atthasdef or t.attidentity <> '',
        'generated', t.attgenerated <> '' or t.attidentity = 'a',
        'description', col_description(a.oid, t.attnum),
        'values', (
          select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.atttypid),
        'rights', t.rights
      ) order by t.attnum) as columns
      from (
        select b.*, to_jsonb(array(
          select k.request
          from unnest(array_remove(a.rights, 'delete')) k (request)
          where has_column_privilege(a.oid, b.attnum, k.request)
            and (k.request = 'select' or b.attgenerated = '' and b.attidentity <> 'a')
            and (k.request = 'select' or a.relkind <> 'v' or pg_column_is_updatable(a.oid, b.attnum, true))
        )) as rights
        from pg_attribute b
        where b.attrelid = a.oid and b.attnum > 0 and not b.attisdropped
      ) t
      where t.rights <> '[]'
    ) c on true
    left join lateral (
      select jsonb_agg(jsonb_build_object(
        'columns', (
          select jsonb_agg(b.attname order by k.place)
          from unnest(o.conkey) with ordinality k (attnum, place)
            join pg_attribute b on b.attrelid = o.conrelid and b.attnum = k.attnum),
        'schema', n.nspname,
        'table', r.relname,
        'references', (
          select jsonb_agg(b.attname order by k.place)
          from unnest(o.confkey) with ordinality k (attnum, place)
            join pg_attribute b on b.attrelid = o.confrelid and b.attnum = k.attnum)
      ) order by o.conname) as foreign_keys
      from pg_constraint o
        join pg_class r on r.oid = o.confrelid
        join pg_namespace n on n.oid = r.relnamespace
      where o.conrelid = a.oid and o.contype = 'f' and o.conparentid = 0
        and c.names @> array(
          select b.attname from pg_attribute b where b.attrelid = o.conrelid and b.attnum = any (o.conkey))
        and has_schema_privilege(n.oid, 'usage')
        and (select bool_and(has_column_privilege(o.confrelid, k.attnum, 'select')) from unnest(o.confkey) k (attnum))
        and portolan.access(o.confrelid::regclass, 'select') <> 'deny'
    ) f on true
  where a.rights <> '{}'
  order by a.relname
$$;

COMMENT ON FUNCTION portolan.list_tables(schema_name text, table_name text) IS 'The tables and views of a schema that the caller has a right to, with their columns and what it may do.';

CREATE FUNCTION portolan.list_types(schema_name text) RETURNS TABLE(name text, "values" text[], description text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select t.typname::text,
    array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder),
    obj_description(t.oid, 'pg_type')
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where n.nspname = schema_name and t.typtype = 'e' and has_schema_privilege(n.oid, 'usage')
  order by t.typname
$$;

COMMENT ON FUNCTION portolan.list_types(schema_name text) IS 'The enums of a schema, with their labels in their order.';

CREATE FUNCTION portolan.own_session(kind text) RETURNS TABLE(ip inet, account text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if kind is distinct from 'gateway' and not pg_is_in_recovery() then
    return query
    select o.ip, o.account
    from portolan.own_sessions o
    where o.pid = pg_backend_pid() and o.login = session_user;
  end if;
end
$$;

COMMENT ON FUNCTION portolan.own_session(kind text) IS 'The address and account behind a connection that runs SQL which someone wrote.';

CREATE TABLE portolan.logins (
    role text NOT NULL,
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    kind text DEFAULT 'gateway'::text NOT NULL,
    CONSTRAINT logins_kind CHECK ((kind = ANY (ARRAY['gateway'::text, 'runner'::text])))
);

CREATE VIEW portolan.me WITH (security_barrier='true') AS
 SELECT u.name,
    u.role,
    u.superuser,
    u.user_group,
    u.email,
    u.properties,
        CASE
            WHEN (s.kind = 'gateway'::text) THEN COALESCE(NULLIF(current_setting('portolan.service'::text, true), ''::text), 'other'::text)
            ELSE 'sql'::text
        END AS service,
        CASE
            WHEN (s.kind = 'gateway'::text) THEN (NULLIF(current_setting('portolan.ip'::text, true), ''::text))::inet
            ELSE o.ip
        END AS ip
   FROM ((( SELECT ( SELECT l.kind
                   FROM portolan.logins l
                  WHERE (l.role = SESSION_USER)) AS kind) s
     LEFT JOIN LATERAL portolan.own_session(s.kind) o(ip, account) ON (true))
     JOIN portolan.users u ON (((u.role =
        CASE
            WHEN (s.kind IS NULL) THEN SESSION_USER
            ELSE CURRENT_USER
        END) AND
        CASE s.kind
            WHEN 'gateway'::text THEN (COALESCE(NULLIF(current_setting('portolan.user'::text, true), ''::text), u.name) = u.name)
            WHEN 'runner'::text THEN (o.account = u.name)
            ELSE true
        END)));

COMMENT ON VIEW portolan.me IS 'The account behind this session: name, role, group, properties, interface and address.';

CREATE VIEW portolan.visible_users WITH (security_barrier='true') AS
 SELECT u.name,
    u.email,
    u.user_group,
    u.properties,
    u.superuser
   FROM (portolan.me m
     JOIN portolan.users u ON (((u.name = m.name) OR pg_has_role((m.role)::name, (('owner@'::text || (current_database())::text))::name, 'usage'::text))));

COMMENT ON VIEW portolan.visible_users IS 'The accounts that the caller may see: itself, and for a super user all.';

CREATE FUNCTION portolan.list_users(names text[] DEFAULT NULL::text[]) RETURNS SETOF portolan.visible_users
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_missing text;
begin
  select wanted.name into v_missing
  from unnest(names) wanted (name)
  where not exists (select from portolan.visible_users u where u.name = wanted.name)
  limit 1;
  if (names is null or v_missing is not null)
    and not pg_has_role(current_user, 'owner@' || current_database(), 'usage')
  then
    raise exception 'an account may see itself only' using errcode = 'insufficient_privilege';
  end if;
  if v_missing is not null then
    raise exception 'there is no account "%"', v_missing using errcode = 'PX404';
  end if;
  return query
    select u.name, u.email, u.user_group, u.properties, u.superuser
    from portolan.visible_users u
    where names is null or u.name = any (names)
    order by u.name;
end
$$;

COMMENT ON FUNCTION portolan.list_users(names text[]) IS 'The accounts of these names, or all that there are.';

CREATE FUNCTION portolan.local_metres(x double precision, y double precision, from_srid integer, to_srid integer, step double precision) RETURNS double precision[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_result float8[];
begin
  execute format(
    $sql$
    select array[
      %1$I.st_x(p), %1$I.st_y(p),
      %1$I.st_distance(
        portolan.try_transform(%1$I.st_translate(p, -$5 / 2, 0), 4326, %1$L)::%1$I.geography,
        portolan.try_transform(%1$I.st_translate(p, $5 / 2, 0), 4326, %1$L)::%1$I.geography) / $5,
      %1$I.st_distance(
        portolan.try_transform(%1$I.st_translate(p, 0, -$5 / 2), 4326, %1$L)::%1$I.geography,
        portolan.try_transform(%1$I.st_translate(p, 0, $5 / 2), 4326, %1$L)::%1$I.geography) / $5]
    from portolan.try_transform(%1$I.st_setsrid(%1$I.st_makepoint($1, $2), $3), $4, %1$L) as p
    where p is not null
    $sql$, portolan.postgis_schema())
  into v_result using x, y, from_srid, to_srid, step;
  return v_result;
end
$_$;

COMMENT ON FUNCTION portolan.local_metres(x double precision, y double precision, from_srid integer, to_srid integer, step double precision) IS 'A point in another coordinate reference system, and how many metres a unit of it is there.';

CREATE FUNCTION portolan.made_protection(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    select md5(concat_ws(
      E'\n',
      c.relrowsecurity,
      (
        select string_agg(concat_ws('.', p.oid, p.xmin, p.ctid), ' ' order by p.oid)
        from pg_policy p
        where p.polrelid = c.oid and portolan.is_own_policy(p.polname)),
      -- a policy of the team's ends ours that lets everything pass
      (
        select 'and others'
        where exists (select from pg_policy p where p.polrelid = c.oid and not portolan.is_own_policy(p.polname))),
      (
        select string_agg(t.tgname, ' ' order by t.tgname)
        from pg_trigger t join pg_proc f on f.oid = t.tgfoid
        where t.tgrelid = c.oid and f.oid = 'portolan.tg__refuse_denied()'::regprocedure)))
    from pg_class c
    where c.oid = relation);
end
$$;

COMMENT ON FUNCTION portolan.made_protection(relation oid) IS 'A text that tells what a table has of Portolan''s protection.';

CREATE FUNCTION portolan.make_as_of(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_function text := (
    select format('%I.%I', n.nspname, 'as_of_' || c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = history);
  v_columns text;
  v_types text;
begin
  select
    string_agg(format('h.%I', a.attname), ', ' order by a.attnum),
    string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
  into v_columns, v_types
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  perform portolan.drop_as_of(history);
  execute format(
    'create function %s(timestamptz) returns table (%s) language sql stable parallel safe rows 1000 as %L', v_function, v_types,
    format('select %s from %s h where h.portolan_from <= $1 and h.portolan_to > $1 and (select portolan.fresh_history(%L::regclass))',
      v_columns, history, relation));
  execute format('comment on function %s(timestamptz) is %L', v_function, format('%s as it was at an instant.', relation));
  execute format('grant execute on function %s(timestamptz) to public', v_function);
end
$_$;

COMMENT ON FUNCTION portolan.make_as_of(relation regclass, history regclass) IS 'Makes the function that reads a table as it was at an instant.';

CREATE FUNCTION portolan.make_events(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_recorded(relation, 'events are');
  if not portolan.event_comment(relation) then
    raise exception 'the comment of % says "@events off": change the comment', relation using errcode = 'PX400';
  end if;
  insert into portolan.event_tables as t (relation, setting)
  values (relation, true)
  on conflict on constraint event_tables_pkey do update set setting = true;
  perform portolan.install_events(relation);
end
$$;

COMMENT ON FUNCTION portolan.make_events(relation regclass) IS 'Makes the events of a table.';

CREATE FUNCTION portolan.make_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_member regclass;
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_workflow(relation);
  perform set_config('portolan.following', 'on', true);
  begin
    -- a constant default: the rows that are there are not written
    execute format(
      'alter table %s add column if not exists portolan_status smallint not null default 3, '
      'add column if not exists portolan_workflow jsonb', relation);
    perform portolan.add_workflow_history(relation);
    perform portolan.install_workflow(relation);
    insert into portolan.workflow_tables (relation) values (relation) on conflict do nothing;
    foreach v_member in array portolan.event_members(relation)::regclass[] loop
      perform portolan.protect(v_member, '{}');
    end loop;
  exception
    when insufficient_privilege then
      raise exception 'Portolan may not alter %: run grant % to %;', relation,
        (select quote_ident(pg_get_userbyid(c.relowner)) from pg_class c where c.oid = relation), quote_ident(current_user)
        using errcode = 'insufficient_privilege';
  end;
  perform portolan.follow_history();
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.make_workflow(relation regclass) IS 'Makes the workflow of a table, whose rows are published then.';

CREATE FUNCTION portolan.mark_leakproof() RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_function text;
  v_all boolean := true;
begin
  for v_function in select f.signature from portolan.leaky_functions() f
  loop
    begin
      execute format('alter function %s leakproof', v_function);
    exception
      when insufficient_privilege then v_all := false;
    end;
  end loop;
  return v_all;
end
$$;

COMMENT ON FUNCTION portolan.mark_leakproof() IS 'Marks comparisons as leakproof that cannot tell of a hidden row.';

CREATE FUNCTION portolan.members_stamp(members oid[]) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    select md5(concat_ws(
      ' ',
      (select string_agg(concat_ws('.', c.oid, c.xmin), ',' order by c.oid) from pg_class c where c.oid = any (members)),
      (
        select string_agg(concat_ws('.', a.attnum, a.xmin), ',' order by a.attrelid, a.attnum)
        from pg_attribute a where a.attrelid = any (members) and a.attnum > 0
      ),
      (select string_agg(concat_ws('.', p.oid, p.xmin), ',' order by p.oid) from pg_policy p where p.polrelid = any (members)),
      (
        select string_agg(concat_ws('.', t.oid, t.xmin), ',' order by t.oid)
        from pg_trigger t where t.tgrelid = any (members)
      ))));
end
$$;

COMMENT ON FUNCTION portolan.members_stamp(members oid[]) IS 'Changes with whatever of these relations is not a row of theirs.';

CREATE FUNCTION portolan.mend_rights(recorded boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_following text := current_setting('portolan.following', true);
  v_missing record;
begin
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  for v_missing in
    select m.finding, m.statement from portolan.rights_to_mend() m where recorded or m.kind <> 'privilege'
  loop
    begin
      execute v_missing.statement;
    exception
      when insufficient_privilege then
        raise warning 'Portolan may not mend that %: %', v_missing.finding, v_missing.statement;
    end;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.mend_rights(recorded boolean) IS 'Writes the rights that Portolan needs and that are missing.';

CREATE FUNCTION portolan.merge_patch(target jsonb, patch jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_result jsonb := case when jsonb_typeof(target) = 'object' then target else '{}' end;
  v_name text;
  v_value jsonb;
begin
  if patch is null or jsonb_typeof(patch) <> 'object' then
    return patch;
  end if;
  for v_name, v_value in select m.key, m.value from jsonb_each(patch) m loop
    v_result := case
      when v_value = 'null' then v_result - v_name
      else v_result || jsonb_build_object(v_name, portolan.merge_patch(v_result -> v_name, v_value))
    end;
  end loop;
  return v_result;
end
$$;

COMMENT ON FUNCTION portolan.merge_patch(target jsonb, patch jsonb) IS 'JSON Merge Patch (RFC 7396).';

CREATE FUNCTION portolan.method_functions(schemas text[]) RETURNS TABLE(method text, schema text, name text, description text, arguments text[], required integer)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select distinct on (1)
    coalesce(nullif(c.tag[1], ''), p.proname::text), n.nspname::text, p.proname::text,
    nullif(btrim(regexp_replace(obj_description(p.oid, 'pg_proc'), '^@\w.*$', '', 'gn'), E' \n'), ''),
    a.names, p.pronargs - p.pronargdefaults
  from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    cross join lateral regexp_match(obj_description(p.oid, 'pg_proc'), '^@method(?:[ \t]+(\S+))?[ \t]*$', 'n') as c (tag)
    cross join lateral (
      select coalesce(array_agg(p.proargnames[i] order by i), '{}') as names
      from generate_series(1, p.pronargs) i
    ) a
  where n.nspname = any (schemas)
    and p.prokind = 'f' and p.provariadic = 0 and c.tag is not null
    and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
    and not exists (select from unnest(a.names) x where x is null or x !~ '^[A-Za-z_][A-Za-z0-9_]*$')
    and (p.proargmodes is null or p.proargmodes[1:p.pronargs] <@ array['i']::"char"[])
    and coalesce(nullif(c.tag[1], ''), p.proname::text) ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'
    and not exists (select from portolan.methods m where m.method = coalesce(nullif(c.tag[1], ''), p.proname::text))
  order by 1, n.nspname, p.oid
$_$;

COMMENT ON FUNCTION portolan.method_functions(schemas text[]) IS 'Functions that carry the comment @method and that the caller may execute.';

CREATE FUNCTION portolan.mirror_policy(relation regclass, history regclass, name name, rest text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $_$
#variable_conflict use_variable
begin
  begin
    execute pg_catalog.format('create policy %I on %s %s', name, history, rest);
    return;
  exception
    when undefined_function or datatype_mismatch or wrong_object_type or cannot_coerce then null; -- once more below
  end;
  execute pg_catalog.format(
    'create or replace function portolan.row_of_%s(twin %s) returns %s language sql immutable as %L',
    relation::pg_catalog.oid::pg_catalog.text, history, relation,
    pg_catalog.format('select row(%s)::%s', (
      select pg_catalog.string_agg(case when a.attisdropped then 'null' else pg_catalog.format('twin.%I', a.attname) end,
        ', ' order by a.attnum)
      from pg_catalog.pg_attribute a
      where a.attrelid = relation and a.attnum > 0 and not a.attisdropped), relation));
  if not exists (
    select from pg_catalog.pg_cast c
    where c.castsource = (select k.reltype from pg_catalog.pg_class k where k.oid = history)
      and c.casttarget = (select k.reltype from pg_catalog.pg_class k where k.oid = relation))
  then
    execute pg_catalog.format('create cast (%s as %s) with function portolan.row_of_%s(%1$s) as implicit', history, relation,
      relation::pg_catalog.oid::pg_catalog.text);
  end if;
  execute pg_catalog.format('create policy %I on %s %s', name, history, rest);
end
$_$;

COMMENT ON FUNCTION portolan.mirror_policy(relation regclass, history regclass, name name, rest text) IS 'Makes a policy of a table on its twin.';

CREATE FUNCTION portolan.mirror_rights(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO ''
    AS $$
#variable_conflict use_variable
declare
  v_class record;
  v_row record;
  v_above text;
  v_schema text;
begin
  select c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.relacl, c.relname, n.nspname, n.nspacl, n.nspowner,
    portolan.rights_stamp(c.oid) as stamp
  into v_class
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  v_schema := v_class.nspname || '__history';
  if (select v.mirrored from portolan.versioned_tables v where v.relation = mirror_rights.relation) = v_class.stamp
    and pg_catalog.to_regprocedure(pg_catalog.format('%I.%I(timestamptz)', v_schema, 'as_of_' || v_class.relname)) is not null
  then
    return;
  end if;

  -- grants
  for v_row in
    select distinct a.grantee
    from pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a
    where c.oid = history and a.grantee <> c.relowner
    union
    select distinct a.grantee
    from pg_catalog.pg_attribute t, pg_catalog.aclexplode(t.attacl) a
    where t.attrelid = history
  loop
    execute pg_catalog.format('revoke all on table %s from %s', history, portolan.role_sql(v_row.grantee));
  end loop;
  for v_row in
    select distinct a.grantee
    from pg_catalog.aclexplode(coalesce(v_class.nspacl, pg_catalog.acldefault('n', v_class.nspowner))) a
    where a.privilege_type = 'USAGE' and a.grantee <> (
      select n.nspowner from pg_catalog.pg_namespace n where n.nspname = v_schema)
  loop
    execute pg_catalog.format('grant usage on schema %I to %s', v_schema, portolan.role_sql(v_row.grantee));
  end loop;
  for v_row in
    select a.grantee, null::text as columns
    from pg_catalog.aclexplode(coalesce(v_class.relacl, pg_catalog.acldefault('r', v_class.relowner))) a
    where a.privilege_type = 'SELECT'
    union
    select a.grantee,
      pg_catalog.format('(%s, portolan_from, portolan_to)', pg_catalog.string_agg(pg_catalog.quote_ident(t.attname), ', '))
    from pg_catalog.pg_attribute t, pg_catalog.aclexplode(t.attacl) a
    where t.attrelid = relation and a.privilege_type = 'SELECT' and not t.attisdropped
    group by a.grantee
  loop
    execute pg_catalog.format('grant select %s on table %s to %s', v_row.columns, history, portolan.role_sql(v_row.grantee));
  end loop;

  -- policies
  for v_row in select p.polname from pg_catalog.pg_policy p where p.polrelid = history loop
    execute pg_catalog.format('drop policy %I on %s', v_row.polname, history);
  end loop;
  execute pg_catalog.format('alter table %s %s row level security', history,
    case when v_class.relrowsecurity then 'enable' else 'disable' end);
  if v_class.relrowsecurity then
    v_above := case when v_class.relforcerowsecurity then 'false'
      else pg_catalog.format('(select pg_catalog.pg_has_role(%s::pg_catalog.oid, ''usage''))', v_class.relowner) end;
    execute pg_catalog.format('create policy portolan_owner on %s for select to public using (%s)', history, v_above);
    for v_row in
      select p.polname, p.polpermissive, coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'true') as condition,
        (select pg_catalog.string_agg(portolan.role_sql(r.role), ', ') from pg_catalog.unnest(p.polroles) r (role)) as roles
      from pg_catalog.pg_policy p
      where p.polrelid = relation and p.polcmd in ('r', '*')
    loop
      perform portolan.mirror_policy(relation, history, v_row.polname, pg_catalog.format(
        'as %s for select to %s using (%s or (%s))', case when v_row.polpermissive then 'permissive' else 'restrictive' end,
        v_row.roles, v_above, v_row.condition));
    end loop;
  end if;
  perform portolan.make_as_of(relation, history);
  update portolan.versioned_tables v
  set mirrored = v_class.stamp
  where v.relation = mirror_rights.relation;
end
$$;

COMMENT ON FUNCTION portolan.mirror_rights(relation regclass, history regclass) IS 'Gives a twin the rights of its table.';

CREATE FUNCTION portolan.missing_owner_rights(schemas text[]) RETURNS TABLE(statement text, relation regclass)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_owner text := portolan.role_name('owner');
begin
  return query
  -- create where Portolan may give it: what super users make there is owner@'s
  select format('grant %s on schema %I to %I', w.privileges, n.nspname, v_owner), null::regclass
  from pg_namespace n
    cross join lateral (
      select string_agg(p.privilege, ', ' order by p.privilege desc) as privileges
      from (values ('usage'), ('create')) p (privilege)
      where not has_schema_privilege(v_owner, n.oid, p.privilege)
        and (p.privilege = 'usage' or pg_has_role(n.nspowner, 'usage'))
    ) w
  where n.nspname = any (schemas) and w.privileges is not null
  union all
  select format('grant select, insert, update, delete on table %s to %I', c.oid::regclass, v_owner),
    case when c.relkind in ('r', 'p') then c.oid::regclass end -- a foreign table cannot be locked
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any (schemas) and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not (
      has_table_privilege(v_owner, c.oid, 'select') and has_table_privilege(v_owner, c.oid, 'insert')
      and has_table_privilege(v_owner, c.oid, 'update') and has_table_privilege(v_owner, c.oid, 'delete'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select format('grant usage, select, update on sequence %s to %I', c.oid::regclass, v_owner), null::regclass
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any (schemas) and c.relkind = 'S'
    and not (has_sequence_privilege(v_owner, c.oid, 'usage') and has_sequence_privilege(v_owner, c.oid, 'update'))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union all
  select format('grant execute on routine %s to %I', p.oid::regprocedure, v_owner), null::regclass
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any (schemas)
    and not has_function_privilege(v_owner, p.oid, 'execute')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e');
end
$$;

COMMENT ON FUNCTION portolan.missing_owner_rights(schemas text[]) IS 'The grants that super users lack on what is in the schemas.';

CREATE FUNCTION portolan.move_roles(before portolan.users, after portolan.users) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if before.name = 'anonymous' then
    raise exception 'anonymous has no group and is no super user' using errcode = 'PX400';
  end if;
  if not before.role_made then
    raise exception 'the role of "%" was not made by Portolan, which does not change it', before.name
      using errcode = 'PX400';
  end if;
  if after.user_group = after.name then
    raise exception 'the account "%" cannot be its own group', after.name using errcode = 'PX400';
  end if;
  if after.user_group is not null and not exists (
    select from portolan.users u where u.name = after.user_group and u.name <> 'anonymous'
  ) then
    raise exception 'the group "%" is no account', after.user_group using errcode = 'PX400';
  end if;
  if exists (select from portolan.users u where u.name = after.user_group and u.superuser) then
    raise exception 'the group "%" is a super user: its members would be super users too', after.user_group
      using errcode = 'PX400';
  end if;
  if after.superuser and exists (select from portolan.users u where u.user_group = after.name) then
    raise exception 'the account "%" is the group of others, who would be super users too', after.name
      using errcode = 'PX409';
  end if;
  if before.superuser and not after.superuser then
    if not exists (select from portolan.users u where u.superuser and u.name <> before.name) then
      raise exception 'the account "%" is the last super user', before.name using errcode = 'PX409';
    end if;
    execute format('revoke %I from %I', portolan.role_name('owner'), before.role);
  end if;
  if before.user_group is distinct from after.user_group and before.user_group is not null then
    execute format('revoke %I from %I', (select u.role from portolan.users u where u.name = before.user_group),
      before.role);
  end if;
  -- which memberships an account has is read from its row
  update portolan.users u set user_group = after.user_group, superuser = after.superuser where u.name = after.name;
  begin
    perform portolan.join_roles(after);
  exception
    when invalid_grant_operation then
      raise exception 'the group "%" is a member of "%" itself', after.user_group, after.name using errcode = 'PX409';
  end;
end
$$;

COMMENT ON FUNCTION portolan.move_roles(before portolan.users, after portolan.users) IS 'Changes the memberships of an account''s role with its group and superuser.';

CREATE FUNCTION portolan.move_rows(relation regclass, rows jsonb, state text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_status integer := array_position('{drafted,reviewed,published}', state);
  v_moved bigint;
  v_count bigint := (select count(distinct r ->> 'key') from jsonb_array_elements(rows) r);
begin
  if v_status is null then
    raise exception 'a row is drafted, reviewed or published' using errcode = 'PX400';
  elsif not portolan.has_workflow(relation) then
    raise exception '% has no workflow', relation using errcode = 'PX400';
  end if;
  execute format('update %s t set portolan_status = %s where %s', relation, -v_status, (
    select coalesce(string_agg(
      format('(%s%s)', portolan.key_condition(relation, r ->> 'key', 't'),
        ' and md5(' || portolan.readable_record(relation, relation, 't') || '::text) = ' || quote_literal(r ->> 'version')),
      ' or '), 'false')
    from jsonb_array_elements(rows) r));
  get diagnostics v_moved = row_count;
  if v_moved <> v_count then
    raise exception '% of % rows are no longer what they were: none is %', v_count - v_moved, v_count, state
      using errcode = 'PX409';
  end if;
  return v_moved;
end
$$;

COMMENT ON FUNCTION portolan.move_rows(relation regclass, rows jsonb, state text) IS 'Makes rows of a table drafted, reviewed or published: all of them or none.';

CREATE FUNCTION portolan.new_secret() RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex')
$$;

COMMENT ON FUNCTION portolan.new_secret() IS 'A text that nobody can guess.';

CREATE FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  delete from portolan.gateways g
  where not exists (
    select from pg_stat_get_activity(g.pid) a
    where a.pid = g.pid and (a.backend_start is null or a.backend_start = g.started));
  insert into portolan.gateways (pid, started, figures)
  values (pg_backend_pid(), backend_started, own_figures)
  on conflict (pid) do update set started = excluded.started, noted = clock_timestamp(), figures = excluded.figures
$$;

COMMENT ON FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) IS 'Writes what the calling gateway says of itself.';

CREATE FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update portolan.methods m
  set
    input_schema = note_method_types.input_schema,
    output_schema = note_method_types.output_schema,
    relations = note_method_types.relations,
    relations_stamp = portolan.relations_stamp(note_method_types.relations)
  where m.method = note_method_types.method and m.q = note_method_types.q
$$;

COMMENT ON FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) IS 'Keeps what a dry run has found of a method''s types.';

CREATE FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into portolan.request_minutes as m (
    minute, host, requests, refused, failed, gone, durations, event_lag_ms, map_queue)
  select
    date_trunc('minute', clock_timestamp()), note_requests.host, f.requests, f.refused, f.failed, f.gone, f.durations,
    f.event_lag_ms, f.map_queue
  from jsonb_to_record(figures) f (
    requests integer, refused integer, failed integer, gone integer, durations integer[], event_lag_ms integer, map_queue integer)
  on conflict on constraint request_minutes_pkey do update set
    requests = m.requests + excluded.requests,
    refused = m.refused + excluded.refused,
    failed = m.failed + excluded.failed,
    gone = m.gone + excluded.gone,
    durations = array(
      select coalesce(u.old, 0) + coalesce(u.new, 0) from unnest(m.durations, excluded.durations) u (old, new)),
    event_lag_ms = greatest(m.event_lag_ms, excluded.event_lag_ms),
    map_queue = greatest(m.map_queue, excluded.map_queue);
  insert into portolan.requests (at, id, account, address, method, path, status, ms, code, error_id, error, host, process)
  select
    clock_timestamp() - e.ago_ms * interval '1 millisecond', e.id, e.account, e.address, e.method, e.path, e.status, e.ms, e.code,
    e.error_id, e.error, note_requests.host, note_requests.process
  from jsonb_to_recordset(entries) e (
    ago_ms double precision, id text, account text, address text, method text, path text, status integer, ms real, code text,
    error_id text, error text)
$$;

COMMENT ON FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) IS 'Adds what a gateway has answered.';

CREATE FUNCTION portolan.note_rights() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if portolan.is_restored() then
    return;
  end if;
  insert into portolan.noted_database as n (identity, name)
  values (portolan.database_identity(), current_database())
  on conflict (one) do update set name = excluded.name where n.name <> excluded.name;
  with present as materialized (
    select * from portolan.team_rights()
  ), gone as (
    delete from portolan.noted_rights n
    where not exists (
      select from present p where (p.object, p.kind, p.name) = (n.object, n.kind, n.name))
  )
  insert into portolan.noted_rights as n (object, kind, name, statements)
  select p.object, p.kind, p.name, p.statements from present p
  on conflict on constraint noted_rights_pkey do update set statements = excluded.statements
    where n.statements <> excluded.statements;
end
$$;

COMMENT ON FUNCTION portolan.note_rights() IS 'Notes the team''s grants and policies that a dump without roles would lose.';

CREATE FUNCTION portolan.note_schemas(schemas text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if exists (select from unnest(schemas) s where s ~ '^pg_' or s in ('information_schema', 'portolan')) then
    raise exception 'schemas of the system cannot be exposed' using errcode = 'PX400';
  end if;
  delete from portolan.settings s where s.name = 'schemas' and schemas is null;
  insert into portolan.settings as s (name, value)
  select 'schemas', to_jsonb(schemas) where schemas is not null
  on conflict (name) do update set value = excluded.value where s.value is distinct from excluded.value;
end
$$;

COMMENT ON FUNCTION portolan.note_schemas(schemas text[]) IS 'Notes which schemas the configuration exposes.';

CREATE FUNCTION portolan.note_shape(relation oid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_stamp bigint := portolan.shape_stamp(relation);
begin
  if exists (select from portolan.shapes s where s.relation = note_shape.relation and s.stamp = v_stamp) then
    return;
  end if;
  insert into portolan.shapes (relation, stamp, attnums, names, types)
  select
    note_shape.relation,
    v_stamp,
    array_agg(a.attnum order by a.attnum),
    array_agg(a.attname::text order by a.attnum),
    array_agg(a.atttypid order by a.attnum)
  from pg_attribute a
  where a.attrelid = note_shape.relation and a.attnum > 0 and not a.attisdropped
  having count(*) > 0;
end
$$;

COMMENT ON FUNCTION portolan.note_shape(relation oid) IS 'Keeps what the columns of a table are now.';

CREATE FUNCTION portolan.nothing_of(kind text, name text, of text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception 'there is no % % of %', kind, quote_nullable(left(name, 100)), of using errcode = 'PX404';
end
$$;

COMMENT ON FUNCTION portolan.nothing_of(kind text, name text, of text) IS 'Raises that there is nothing of that kind and name.';

CREATE FUNCTION portolan.one_at_a_time() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  lock table portolan.migrations in share row exclusive mode;
end
$$;

COMMENT ON FUNCTION portolan.one_at_a_time() IS 'Waits for other transactions that change accounts or rights.';

CREATE FUNCTION portolan.open_doors() RETURNS TABLE(statement text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select format('revoke execute on function pg_catalog.%s from public', p.oid::regprocedure)
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace
    and (
      p.proname ~ '^(lo_|loread$|lowrite$|pg_try_advisory_|pg_advisory_(xact_)?lock)'
      or p.proname in ('pg_terminate_backend', 'pg_cancel_backend', 'pg_logical_emit_message'))
    and exists (
      select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where a.grantee = 0 and a.privilege_type = 'EXECUTE')
  union all
  -- statistics of PostGIS: extents and counts of tables on which the caller has no grant
  select format('revoke execute on function %s from public', p.oid::regprocedure)
  from pg_proc p
    join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
  where p.proname in (
      'st_estimatedextent', '_postgis_stats', '_postgis_selectivity', '_postgis_join_selectivity', '_postgis_index_extent')
    and exists (
      select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where a.grantee = 0 and a.privilege_type = 'EXECUTE')
  union all
  select format('revoke temporary on database %I from public', d.datname)
  from pg_database d
  where d.datname = current_database()
    and exists (
      select from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      where a.grantee = 0 and a.privilege_type = 'TEMPORARY')
  order by 1
$_$;

COMMENT ON FUNCTION portolan.open_doors() IS 'Statements that close what SQL of accounts could do to everybody else.';

CREATE FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if not v_user.role_made then
    raise exception 'the role of "%" was not made by Portolan and cannot log in for it', v_user.name
      using errcode = 'PX403';
  end if;
  -- first, so that requests which come at once wait for one another: PostgreSQL refuses to change one role twice at once
  update portolan.users u set own_login_version = version where u.name = v_user.name;
  perform portolan.set_login(v_user.role, verifier, connections);
end
$$;

COMMENT ON FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) IS 'Lets the role of an account log in for SQL that it wrote.';

CREATE FUNCTION portolan.place_history(relation regclass, history regclass, schema text, name text) RETURNS regclass
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_history regclass := (select c.oid from pg_class c where c.oid = history);
  v_other regclass;
begin
  if exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = v_history and n.nspname = place_history.schema and c.relname = place_history.name)
  then
    return v_history;
  end if;
  select c.oid into v_other
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = place_history.schema and c.relname = place_history.name;
  if v_other is not null then
    execute format('alter table %s rename to %I', v_other,
      left(name, 40) || to_char(clock_timestamp(), '"_until_"YYYYMMDDHH24MISSUS'));
  end if;
  if v_history is not null then
    perform portolan.drop_as_of(v_history);
    execute format('alter table %s rename to %I', v_history, 'portolan_' || v_history::oid);
    if (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = v_history) <> schema then
      execute format('alter table %s set schema %I', v_history, schema);
    end if;
    execute format('alter table %s rename to %I', v_history, name);
    return v_history;
  end if;
  execute format(
    'create table %I.%I (portolan_from timestamptz not null, portolan_to timestamptz not null default ''infinity'', '
    'portolan_tx xid8 not null, portolan_by text, portolan_ended_by text, portolan_version integer) with (fillfactor = 90)', schema, name);
  v_history := format('%I.%I', schema, name)::regclass;
  execute format('comment on table %s is %L', v_history,
    format('@omit%sThe history of %s: each row is a version, valid from portolan_from until portolan_to.', E'\n', relation));
  delete from portolan.versioned_columns v where v.relation = place_history.relation;
  return v_history;
end
$$;

COMMENT ON FUNCTION portolan.place_history(relation regclass, history regclass, schema text, name text) IS 'The twin that holds the history of a table.';

CREATE FUNCTION portolan.planned_columns(relation oid, stamp bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if portolan.shape_stamp(relation) <> stamp then
    raise exception 'the history of % is being brought in line with its columns: try again', relation::regclass
      using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;

COMMENT ON FUNCTION portolan.planned_columns(relation oid, stamp bigint) IS 'True while the columns of a table are those that its history knows.';

CREATE FUNCTION portolan.planned_stamp(relation oid) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    return null;
  end if;
  perform portolan.note_shape(relation);
  return portolan.shape_stamp(relation);
end
$$;

COMMENT ON FUNCTION portolan.planned_stamp(relation oid) IS 'The stamp of a table''s columns, computed when a statement is planned.';

CREATE FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) RETURNS TABLE(outcome text, user_name text, scope text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  v_request portolan.device_requests;
  v_outcome text;
begin
  select d.* into v_request
  from portolan.device_requests d
  where d.device_code_hash = poll_device.device_code_hash
  for update;
  v_outcome := case
    when not found then 'unknown'
    when v_request.client_id <> poll_device.client_id then 'other_client'
    when v_request.family is not null then 'used'
    when v_request.expires_at <= clock_timestamp() then 'expired'
    when v_request.decision = 'denied' then 'denied'
    when v_request.decision = 'granted' and not exists (
      select from portolan.users u where u.name = v_request.user_name and u.token_version = v_request.token_version
    ) then 'denied'
    when v_request.decision = 'granted' then 'granted'
    -- half a second for the way of two packets
    when v_request.last_polled_at > clock_timestamp() - make_interval(secs => v_request.interval_seconds - 0.5)
      then 'slow_down'
    else 'pending'
  end;
  if v_outcome = 'granted' then
    perform portolan.start_family(
      poll_device.family, refresh, v_request.client_id, v_request.user_name, v_request.scope,
      v_request.token_version, access_seconds, refresh_seconds);
    update portolan.device_requests d set family = poll_device.family where d.device_code_hash = v_request.device_code_hash;
  elsif v_outcome in ('pending', 'slow_down') then
    update portolan.device_requests d
    set
      last_polled_at = clock_timestamp(),
      interval_seconds = d.interval_seconds + case v_outcome when 'slow_down' then 5 else 0 end
    where d.device_code_hash = v_request.device_code_hash;
  end if;
  return query select v_outcome, v_request.user_name, v_request.scope;
end
$$;

COMMENT ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) IS 'What a device is told when it asks for its tokens.';

CREATE FUNCTION portolan.postgis_schema() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select n.nspname::text
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'postgis'
$$;

COMMENT ON FUNCTION portolan.postgis_schema() IS 'The schema that PostGIS is in.';

CREATE FUNCTION portolan.prepare_history(relation regclass) RETURNS regclass
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_schema text;
  v_name text;
  v_history regclass;
begin
  select n.nspname || '__history', c.relname into v_schema, v_name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not exists (select from pg_namespace n where n.nspname = v_schema) then
    execute format('create schema %I', v_schema);
  end if;
  insert into portolan.history_schemas (name) values (v_schema) on conflict do nothing;
  select v.history into v_history from portolan.versioned_tables v where v.relation = prepare_history.relation;
  v_history := portolan.place_history(relation, v_history, v_schema, v_name);
  perform portolan.sync_history_columns(relation, v_history);
  perform portolan.index_history(relation, v_history);
  update portolan.versioned_tables v
  set history = v_history
  where v.relation = prepare_history.relation and v.history is distinct from v_history;
  perform portolan.mirror_rights(relation, v_history);
  return v_history;
end
$$;

COMMENT ON FUNCTION portolan.prepare_history(relation regclass) IS 'Makes the twin of a table, or brings it in line with the table.';

CREATE FUNCTION portolan.privileges_of(relation regclass) RETURNS TABLE(subuser text, privilege text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with grants as (
    select
      a.grantee,
      bool_or(a.privilege_type = 'SELECT') as reads,
      count(distinct a.privilege_type) filter (
        where a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')) = 4 as writes
    from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
    where c.oid = relation
    group by a.grantee
  )
  select
    u.name,
    case
      when g.writes then coalesce((
        select p.privilege
        from portolan.privileges p
        where p.relation = privileges_of.relation and p.user_name = u.name and p.privilege = 'all'), 'write')
      when g.reads then 'read'
      else 'none'
    end
  from portolan.users u left join grants g on g.grantee = to_regrole(quote_ident(u.role))
  where g.reads or not (u.superuser or u.name = 'anonymous')
  order by u.name
$$;

COMMENT ON FUNCTION portolan.privileges_of(relation regclass) IS 'What each account may do with a table or view by a grant of its own: none, read, write or all.';

CREATE FUNCTION portolan.prop(key text) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (select m.properties ->> key from portolan.me m);
end
$$;

COMMENT ON FUNCTION portolan.prop(key text) IS 'A member of the caller''s properties, as text.';

CREATE FUNCTION portolan.prop_list(key text) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    select case jsonb_typeof(m.properties -> key)
        when 'array' then array(select jsonb_array_elements_text(m.properties -> key))
        when 'null' then null
        else array[m.properties ->> key]
      end
    from portolan.me m
    where m.properties ? key);
end
$$;

COMMENT ON FUNCTION portolan.prop_list(key text) IS 'A member of the caller''s properties, as a list of texts.';

CREATE FUNCTION portolan.protect(relation regclass, written integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_wanted text := portolan.wanted_protection(relation);
  v_state portolan.row_security;
  v_on boolean;
  v_others boolean;
  v_policy record;
  v_problem text;
begin
  execute format('lock table %s in access exclusive mode', relation);
  select c.relrowsecurity into v_on from pg_class c where c.oid = relation;
  v_others := exists (
    select from pg_policy p where p.polrelid = relation and not portolan.is_own_policy(p.polname));
  select s.* into v_state from portolan.row_security s where s.relation = protect.relation;

  for v_policy in
    select p.polname from pg_policy p where p.polrelid = relation and portolan.is_own_policy(p.polname)
  loop
    execute format('drop policy %I on %s', v_policy.polname, relation);
  end loop;
  for v_policy in
    select t.tgname
    from pg_trigger t
    where t.tgrelid = relation and not t.tgisinternal
      and t.tgfoid = 'portolan.tg__refuse_denied()'::regprocedure
  loop
    execute format('drop trigger %I on %s', v_policy.tgname, relation);
  end loop;
  if v_wanted = '' then
    if v_state.relation is not null and v_on and not v_state.team_enabled then
      execute format('alter table %s disable row level security', relation);
    end if;
    delete from portolan.row_security s where s.relation = protect.relation;
    return;
  end if;

  if v_state.relation is null then
    if not v_on and v_others and written is not null then
      raise exception '% has policies while its row level security is off, and a rule would wake them: run either alter table % enable row level security; or drop them first',
        relation, relation using errcode = 'PX409';
    end if;
    v_state := row(relation, v_on, not v_on and not v_others, '', '', null);
  elsif not v_on then
    v_state.team_enabled := false; -- somebody switched it off, and will have it off again
    v_state.opened := not v_others;
  end if;
  if v_state.opened and v_others then
    v_state.opened := false; -- the team has row level security of its own now
    v_state.team_enabled := true;
  end if;
  if not v_on then
    execute format('alter table %s enable row level security', relation);
  end if;
  if v_state.opened then
    execute format('create policy portolan_open on %s for all to public using (true) with check (true)', relation);
  end if;
  v_problem := portolan.protect_by_rules(relation, written);
  perform portolan.protect_by_workflow(relation, r) from portolan.workflow_root(relation) r where r is not null;

  insert into portolan.row_security as s (relation, team_enabled, opened, wanted, made, problem)
  values (relation, v_state.team_enabled, v_state.opened, v_wanted, portolan.made_protection(relation), v_problem)
  on conflict on constraint row_security_pkey do update
  set team_enabled = excluded.team_enabled, opened = excluded.opened, wanted = excluded.wanted, made = excluded.made,
    problem = excluded.problem;
end
$$;

COMMENT ON FUNCTION portolan.protect(relation regclass, written integer[]) IS 'Gives a table the policies that rules and workflow want.';

CREATE FUNCTION portolan.protect_by_rules(relation regclass, written integer[]) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_command record;
  v_rule record;
  v_filters jsonb := '{}';
  v_arms text;
  v_condition text;
  v_problem text;
begin
  for v_command in
    select k.command, k.word
    from (values ('r'::"char", 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) k (command, word)
    where exists (
      select from portolan.rule_map m where m.relation = protect_by_rules.relation and m.command = k.command)
  loop
    v_arms := '';
    for v_rule in
      select distinct r.id, r.filter
      from portolan.rule_map m join portolan.rules r on r.id = m.id
      where m.relation = protect_by_rules.relation and m.command = v_command.command and m.access = 'l'
      order by r.id
    loop
      if not v_filters ? v_rule.id::text then
        begin
          v_filters := v_filters || jsonb_build_object(v_rule.id, portolan.filter_sql(relation, v_rule.filter));
        exception
          when sqlstate 'PX400' then
            if v_rule.id = any (written) then
              raise;
            end if;
            v_problem := format('rule %s: %s', v_rule.id, sqlerrm);
            v_filters := v_filters || jsonb_build_object(v_rule.id, 'false');
        end;
      end if;
      v_arms := v_arms || format(' when %s then (%s)', v_rule.id, v_filters ->> v_rule.id::text);
    end loop;
    v_condition := format(
      'case (select portolan.rule(%L::regclass, %L::"char")) when 0 then true%s else false end',
      relation, v_command.command, v_arms);
    execute format(
      'create policy %I on %s as restrictive for %s to public %s',
      left('portolan_rules_' || coalesce(
        (select string_agg(distinct m.id::text, '_')
         from portolan.rule_map m
         where m.relation = protect_by_rules.relation and m.command = v_command.command and m.access = 'l') || '_', ''), 55)
        || v_command.word,
      relation,
      v_command.word,
      case v_command.command
        when 'a' then format('with check (%s)', v_condition)
        when 'w' then format('using (%1$s) with check (%1$s)', v_condition)
        else format('using (%s)', v_condition)
      end);
    if v_command.command <> 'r' then
      execute format(
        'create trigger %I before %s on %s for each statement execute function portolan.tg__refuse_denied()',
        '_050_refuse_denied_' || v_command.word, v_command.word, relation);
    end if;
  end loop;
  return v_problem;
end
$_$;

COMMENT ON FUNCTION portolan.protect_by_rules(relation regclass, written integer[]) IS 'Makes the policies and triggers of the rules of one table.';

CREATE FUNCTION portolan.protect_by_workflow(relation regclass, root regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_level text := format('(select portolan.workflow_level(%L::regclass, WRITING))', root);
  v_visible text := format(
    'portolan_status = 3 or %1$s >= 2 or %1$s = 1 and portolan_workflow ->> ''author'' = (select m.name from portolan.me m)',
    v_level);
  v_reads text := replace(v_visible, 'WRITING))', 'false))');
  v_writes text := replace(v_visible, 'WRITING))', 'true))');
  v_allowed text := 'portolan_status <= ' || replace(v_level, 'WRITING))', 'true))');
begin
  execute format('create policy portolan_workflow_select on %s as restrictive for select to public using (%s)',
    relation, v_reads);
  execute format('create policy portolan_workflow_insert on %s as restrictive for insert to public with check (%s)',
    relation, v_allowed);
  execute format(
    'create policy portolan_workflow_update on %s as restrictive for update to public using (%s) with check (%s)',
    relation, v_writes, v_allowed);
  execute format('create policy portolan_workflow_delete on %s as restrictive for delete to public using (%s)',
    relation, v_writes);
end
$_$;

COMMENT ON FUNCTION portolan.protect_by_workflow(relation regclass, root regclass) IS 'Makes the policies of workflow on a table or partition.';

CREATE FUNCTION portolan.queue_job(kind text, relation regclass) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_id bigint;
begin
  select j.id into v_id
  from portolan.jobs j
  where j.kind = queue_job.kind and j.relation = queue_job.relation and j.state <> 'done'
  order by j.id desc
  limit 1
  for update;
  if v_id is null then
    insert into portolan.jobs as j (kind, relation, total, started_by)
    values (kind, relation, portolan.row_estimate(relation), portolan.actor())
    returning j.id into v_id;
  else
    update portolan.jobs j
    set state = 'queued', error = null, updated = now(), position = j.position - 'waited_ms'
    where j.id = v_id and j.state in ('stopped', 'failed');
  end if;
  return v_id;
end
$$;

COMMENT ON FUNCTION portolan.queue_job(kind text, relation regclass) IS 'Queues work on a table, and returns the number of the job.';

CREATE FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) RETURNS TABLE(kept boolean, last bigint, id bigint, xid text, at double precision, root oid, relation oid, shape bigint, operation "char", depth smallint, old text, new text, size bigint, final boolean, more boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
  v_from pg_snapshot := (select b.snapshot from portolan.batches b where b.n = batch - 1);
  v_to pg_snapshot := (select b.snapshot from portolan.batches b where b.n = batch);
begin
  if v_from is null or v_to is null then
    return query select false, 0::bigint, 0::bigint, '', 0::float8, 0::oid, 0::oid, 0::bigint, 't'::"char", 0::smallint,
      null::text, null::text, 0::bigint, true, false;
    return;
  end if;
  return query
  with seen as materialized (
    select
      o.ctid as place, o.id, o.xid, coalesce(pg_partition_root(o.relation)::oid, o.relation) as root,
      max(o.id) over (partition by o.xid) as last,
      coalesce(pg_column_size(o.old), 0) + coalesce(pg_column_size(o.new), 0) as size
    from portolan.outbox o
    where (o.xid >= pg_snapshot_xmax(v_from) and o.xid < pg_snapshot_xmax(v_to)
        or o.xid = any (array(select pg_snapshot_xip(v_from))))
      and pg_visible_in_snapshot(o.xid, v_to)
      and o.operation <> 'v' -- nobody subscribes to a table without events
  ), wanted as (
    select
      s.place, s.id, s.xid, s.root, s.last, s.size,
      s.id = max(s.id) over (partition by s.xid, s.root) as final
    from seen s
    where s.root = any (tables)
  ), rest as (
    select w.*, sum(w.size) over (order by w.last, w.id) as sum
    from wanted w
    where (w.last, w.id) > (after_last, after_id)
  ), page as (
    select r.*, (select max(a.sum) from rest a) > r.sum as more
    from rest r
    where r.sum - r.size < bytes
    order by r.last, r.id
    limit 50000
  )
  select
    true, p.last, p.id, p.xid::text, extract(epoch from o.at)::float8 * 1000, p.root, o.relation,
    case when p.size <= 50000000 then o.shape end, o.operation, o.depth,
    case when p.size <= 50000000 then array_to_json(o.old)::text end,
    case when p.size <= 50000000 then array_to_json(o.new)::text end,
    least(p.size, 50000000)::bigint, p.final, p.more
  from page p
    join portolan.outbox o on o.ctid = p.place -- in one statement a row stays where it is
  order by p.last, p.id;
end
$$;

COMMENT ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) IS 'The change events of one batch, in order of delivery.';

CREATE FUNCTION portolan.read_filter(filter text, OUT condition text, OUT keys text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_token text;
  v_key text;
begin
  condition := '';
  keys := '{}';
  for v_token in
    select m[1] from regexp_matches(filter, '(''(?:[^'']|'''')*''|"(?:[^"]|"")*"|\{\{[^{}]*\}\}|[^''"{]+|.)', 'g') m
  loop
    if v_token like '{{%' then
      v_key := (regexp_match(v_token, '^\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}$'))[1];
      if v_key is null then
        raise exception 'the filter has %, which is no {{key}}: a key is letters, digits, _ and -', v_token
          using errcode = 'PX400';
      elsif not v_key = any (keys) then
        keys := keys || v_key;
      end if;
      condition := condition || '$' || array_position(keys, v_key);
      continue;
    elsif v_token in ('''', '"') then
      raise exception 'the filter has a quote that is not closed' using errcode = 'PX400';
    elsif v_token ~ '^[''"]' then
      if v_token ~ '\{\{' then
        raise exception 'the filter has a {{key}} inside quotes: it stands for a value by itself' using errcode = 'PX400';
      elsif condition ~ '[[:alnum:]_&$]$' then
        raise exception 'the filter has a quote right after a letter: put a space between' using errcode = 'PX400';
      end if;
    elsif v_token ~ '[;\\$]|--|/\*' then
      raise exception 'the filter must be one expression, without ; comments, dollar quotes and backslashes outside strings'
        using errcode = 'PX400';
    end if;
    condition := condition || v_token;
  end loop;
  if btrim(condition, E' \t\r\n') = '' then
    raise exception 'the filter is empty' using errcode = 'PX400';
  end if;
end
$_$;

COMMENT ON FUNCTION portolan.read_filter(filter text, OUT condition text, OUT keys text[]) IS 'Reads the text of a rule''s filter, with $1, $2, … for its keys.';

CREATE FUNCTION portolan.readable_record(relation regclass, source regclass, alias text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_columns text := (
    select string_agg(format('%I.%I', alias, a.attname), ', ' order by a.attnum)
    from pg_attribute a
      join pg_attribute s on s.attrelid = source and s.attname = a.attname and s.attnum > 0
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and has_column_privilege(source, s.attnum, 'select'));
begin
  if v_columns is null then
    raise insufficient_privilege using message = format('permission denied for table %s', relation);
  end if;
  return format('(select to_jsonb(r) from (select %s) r)', v_columns);
end
$$;

COMMENT ON FUNCTION portolan.readable_record(relation regclass, source regclass, alias text) IS 'SQL that gives a row as jsonb, with the columns that the caller may read.';

CREATE FUNCTION portolan.redeem_link(hash text, password_hash text, address text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_name text;
begin
  delete from portolan.one_time_links l
  where l.hash = redeem_link.hash and l.expires_at > clock_timestamp()
  returning l.user_name into v_name;
  if v_name is null then
    return null;
  end if;
  perform portolan.set_password(v_name, password_hash);
  insert into portolan.audit (event, account, address) values ('password.set', v_name, redeem_link.address);
  return v_name;
end
$$;

COMMENT ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) IS 'Sets the password that came with a one-time link.';

CREATE FUNCTION portolan.refresh_mirror(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_following text := current_setting('portolan.following', true);
begin
  if not exists (select from portolan.versioned_tables v where v.relation = refresh_mirror.relation and v.active) then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  perform portolan.install_history(relation);
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.refresh_mirror(relation regclass) IS 'Gives the history of a table its rights again.';

CREATE FUNCTION portolan.refuse_rule_for(relation regclass, kind "char") RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_tables text := coalesce(
    (select string_agg(distinct t.relation::text, ', ') from portolan.tables_beneath(relation) t), 'its tables');
begin
  if kind = 'm' then
    raise exception 'rules cannot hold for %, which is a materialized view: what it holds was read by its owner. Take the grants away (revoke select on % from …) and write the rule for %',
      relation, relation, v_tables using errcode = 'PX400';
  elsif kind = 'v' then
    if exists (
      select from pg_class c cross join pg_options_to_table(c.reloptions) o
      where c.oid = relation and o.option_name = 'security_invoker' and o.option_value::boolean)
    then
      raise exception 'rules hold for tables, and % is a view, which obeys those of its tables: write the rule for %',
        relation, v_tables using errcode = 'PX400';
    end if;
    raise exception 'rules hold for tables, and % is a view: write the rule for % and run: alter view % set (security_invoker = true);',
      relation, v_tables, relation using errcode = 'PX400';
  elsif kind = 'f' then
    raise exception 'rules cannot hold for %, which is a foreign table. Take the grants away: revoke all on % from …; and show a view of it that says what may be seen',
      relation, relation using errcode = 'PX400';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.refuse_rule_for(relation regclass, kind "char") IS 'Refuses a rule that names what no rule can hold for.';

CREATE FUNCTION portolan.refuse_version(relation oid) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'could not serialize access to % due to concurrent update', relation::regclass
      using errcode = 'serialization_failure';
  end if;
  raise exception 'a key of % has two rows for a while, which its history cannot tell apart', relation::regclass
    using errcode = 'feature_not_supported',
      hint = 'do not defer the primary key: change both rows in one statement, or delete first';
end
$$;

COMMENT ON FUNCTION portolan.refuse_version(relation oid) IS 'Refuses to begin a version of a row whose last one has not ended.';

CREATE FUNCTION portolan.refusing_relations() RETURNS TABLE(schema text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select n.nspname::text, c.relname::text
  from (
      select m.relation from portolan.rule_map m where m.access = 'd'
      union
      select u.relation from portolan.unprotected_relations() u
    ) r
    join pg_class c on c.oid = r.relation
    join pg_namespace n on n.oid = c.relnamespace
$$;

COMMENT ON FUNCTION portolan.refusing_relations() IS 'The relations of which some rule denies something to somebody.';

CREATE FUNCTION portolan.register_login(login text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if to_regrole(quote_ident(login)) is null then
    raise exception 'there is no role "%"', login using errcode = 'PX404';
  end if;
  insert into portolan.logins (role) values (login) on conflict do nothing;
  perform portolan.mend_rights(false);
end
$$;

COMMENT ON FUNCTION portolan.register_login(login text) IS 'Makes a login role the gateway''s.';

CREATE FUNCTION portolan.rehash_password(name text, known text, password_hash text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  update portolan.users u
  set password = password_hash
  where u.name = rehash_password.name and u.password = known and password_hash like '$argon2id$%'
$_$;

COMMENT ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) IS 'Replaces the hash of a password by a stronger one of the same password.';

CREATE FUNCTION portolan.relation_of(schema_name text, table_name text) RETURNS regclass
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass;
begin
  select c.oid::regclass into v_relation
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name and c.relkind in ('r', 'p', 'v', 'm', 'f');
  if not found then
    raise exception 'there is no table or view "%" in schema "%"', table_name, schema_name using errcode = 'PX404';
  end if;
  perform portolan.check_relation(v_relation);
  return v_relation;
end
$$;

COMMENT ON FUNCTION portolan.relation_of(schema_name text, table_name text) IS 'The table or view of these names.';

CREATE FUNCTION portolan.relations_stamp(relations oid[]) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select md5(coalesce(string_agg(
    concat_ws('.', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull), '|'
    order by a.attrelid, a.attnum), ''))
  from pg_attribute a
  where a.attrelid = any (relations) and a.attnum > 0 and not a.attisdropped
$$;

COMMENT ON FUNCTION portolan.relations_stamp(relations oid[]) IS 'A text that changes with the columns of these relations.';

CREATE FUNCTION portolan.release_lease(own_term bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update portolan.event_reader r set pid = null, started = null where r.term = own_term;
  perform setval('portolan.asleep', 0);
  perform pg_notify('portolan', '');
end
$$;

COMMENT ON FUNCTION portolan.release_lease(own_term bigint) IS 'Gives the lease of the reader of change events back.';

CREATE FUNCTION portolan.remove_events(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.drop_own_triggers(m.member, 'emit_event')
  from (
    select r as member from unnest(portolan.event_members(relation)) r
    union
    select k from portolan.event_tables t, unnest(t.members) k where t.relation = remove_events.relation
  ) m;
  update portolan.event_tables t set active = false, members = '{}' where t.relation = remove_events.relation;
end
$$;

COMMENT ON FUNCTION portolan.remove_events(relation regclass) IS 'Drops the triggers of events from a table and its partitions.';

CREATE FUNCTION portolan.repair_roles(regrant boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_owner text := portolan.role_name('owner');
  v_anonymous text := portolan.role_name('anonymous');
  v_runner text := portolan.runner_role();
  v_user portolan.users;
  v_restored boolean := portolan.is_restored();
begin
  if to_regrole(quote_ident(v_owner)) is null then
    execute format('create role %I nologin', v_owner);
  end if;
  if to_regrole(quote_ident(v_runner)) is null then
    execute format('create role %I nologin noinherit', v_runner);
  end if;
  delete from portolan.logins l where l.kind = 'runner' and l.role <> v_runner; -- a copy of a database
  if v_restored then
    -- a role of the same name that somebody makes later must not be taken for the gateway's
    delete from portolan.logins l where to_regrole(quote_ident(l.role)) is null;
    update portolan.users u set own_login_version = null where u.own_login_version is not null;
  end if;
  insert into portolan.logins (role, kind) values (v_runner, 'runner') on conflict (role) do update set kind = 'runner';
  -- a copy of a database has accounts of its own, not those of its original
  update portolan.users u set role = portolan.role_name(u.name), own_login_version = null
  where u.role_made and u.role <> portolan.role_name(u.name);
  insert into portolan.users (name, role) values ('anonymous', v_anonymous) on conflict do nothing;

  for v_user in select u.* from portolan.users u order by u.name = 'anonymous' desc, u.name loop
    if to_regrole(quote_ident(v_user.role)) is null then
      if not v_user.role_made then
        raise warning 'the role "%" of the account "%" does not exist', v_user.role, v_user.name;
        continue;
      end if;
      execute format('create role %I nologin', v_user.role);
      update portolan.users u set own_login_version = null where u.name = v_user.name;
    end if;
  end loop;
  -- memberships after all roles are there: a group may come after its members
  perform portolan.join_roles(u) from portolan.users u where to_regrole(quote_ident(u.role)) is not null;

  if v_restored then
    perform portolan.restore_rights();
  end if;
  perform portolan.mend_rights(regrant or v_restored);
  -- trigger functions are made for each table: another version of Portolan, or a restore, makes them anew
  perform portolan.install_events(t.relation)
  from portolan.event_tables t
  where t.active and exists (select from pg_class c where c.oid = t.relation)
    and exists (
      select from unnest(portolan.event_members(t.relation)) m where portolan.event_trigger_count(m) < 4);
  perform portolan.install_workflow(w.relation)
  from portolan.workflow_tables w
  where exists (select from pg_class c where c.oid = w.relation)
    and (regrant or v_restored or to_regprocedure(format('portolan.tg_%s__audit_workflow()', w.relation::oid)) is null);
  perform portolan.install_ddl_trigger();
  perform portolan.follow_ddl();
  perform portolan.mark_leakproof();
  perform portolan.note_rights();
end
$$;

COMMENT ON FUNCTION portolan.repair_roles(regrant boolean) IS 'Makes the roles, memberships and grants that the tables of Portolan speak of.';

CREATE FUNCTION portolan.request_context() RETURNS portolan.me
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select m from portolan.me m
$$;

COMMENT ON FUNCTION portolan.request_context() IS 'The account behind this session: name, role, superuser, user_group, email, properties, service and ip.';

CREATE FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if pg_is_in_recovery() then
    if pg_last_wal_replay_lsn() >= lsn
      and (select t.timeline from portolan.timeline t) = require_replayed.timeline
    then
      return true;
    end if;
  elsif portolan.wal_timeline() = timeline and pg_current_wal_insert_lsn() >= lsn then
    return true;
  end if;
  raise exception using errcode = 'object_not_in_prerequisite_state',
    message = 'the server does not have yet what was written before';
end
$$;

COMMENT ON FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) IS 'Raises where this server does not have what was written up to a position.';

CREATE FUNCTION portolan.restore(relation regclass, key text, instant timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_history regclass := portolan.history_of(relation);
  v_key text[] := portolan.key_columns(relation);
  v_columns text;
  v_set text;
  v_source text;
  v_found bigint;
begin
  select
    string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('%1$I = s.%1$I', a.attname), ', ' order by a.attnum)
      filter (where a.attname <> all (v_key) and a.attidentity <> 'a')
  into v_columns, v_set
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  v_source := format(
    'select %s from %s h where h.portolan_from <= $1 and h.portolan_to > $1 and %s and portolan.fresh_history(%L::regclass)',
    v_columns, v_history, portolan.key_condition(relation, key, 'h'), relation);
  execute v_source using instant;
  get diagnostics v_found = row_count;
  if v_found = 0 then
    raise exception 'there was no such row of % at that instant', relation using errcode = 'PX404';
  end if;
  if v_set is not null then
    execute format('update %s t set %s from (%s) s where %s', relation, v_set, v_source,
      portolan.key_condition(relation, key, 't')) using instant;
    get diagnostics v_found = row_count;
    if v_found > 0 then
      return;
    end if;
  end if;
  execute format('insert into %s (%s) overriding system value %s', relation, v_columns, v_source) using instant;
end
$_$;

COMMENT ON FUNCTION portolan.restore(relation regclass, key text, instant timestamp with time zone) IS 'Writes a row as it was at an instant.';

CREATE FUNCTION portolan.restore_rights() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_before text := (select n.name from portolan.noted_database n);
  v_object text;
  v_policy text;
  v_statement text;
begin
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  for v_object, v_policy, v_statement in
    select n.object, p.polname, s.statement
    from portolan.noted_rights n
      cross join unnest(n.statements) with ordinality s (statement, number)
      left join pg_policy p
        on p.polrelid = case n.kind when 'policy' then to_regclass(n.object) end and p.polname = n.name
    where p.oid is null or v_before <> current_database()
    order by n.object, n.kind, n.name, s.number
  loop
    -- the name of a role that holds an @ is quoted, and ends so
    v_statement := replace(v_statement,
      substr(quote_ident('@' || v_before), 2), substr(quote_ident('@' || current_database()), 2));
    begin
      if v_policy is not null then
        execute format('drop policy %I on %s', v_policy, v_object);
      end if;
      execute v_statement;
    exception
      when undefined_object or undefined_table or undefined_function or invalid_schema_name or insufficient_privilege then
        raise warning 'Portolan could not write again: %; (%)', v_statement, sqlerrm;
    end;
  end loop;
  perform set_config('portolan.following', '', true);
  delete from portolan.noted_database;
end
$$;

COMMENT ON FUNCTION portolan.restore_rights() IS 'Writes the grants and policies that were noted before a dump.';

CREATE FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text DEFAULT NULL::text, expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.id = family and f.client_id = revoke_family.client_id and f.revoked_at is null;
  if found or expires_at is null then
    return found;
  end if;
  insert into portolan.token_families (id, client_id, user_name, token_version, expires_at, revoked_at)
  values (family, client_id, user_name, 0, expires_at, clock_timestamp())
  on conflict do nothing;
  return found;
end
$$;

COMMENT ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) IS 'Ends all tokens of one authorization of a client.';

CREATE FUNCTION portolan.rights_stamp(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    select md5(concat_ws(
      ' ',
      c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.relacl::text, n.nspacl::text,
      (select string_agg(a.attname || a.attacl::text, ',' order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attacl is not null),
      (select string_agg(concat_ws('.', p.oid, p.xmin, p.ctid), ',' order by p.oid) from pg_policy p where p.polrelid = c.oid)))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = relation);
end
$$;

COMMENT ON FUNCTION portolan.rights_stamp(relation oid) IS 'Changes with the grants and policies of a table.';

CREATE FUNCTION portolan.rights_to_mend() RETURNS TABLE(kind text, finding text, statement text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with wanted as materialized (
    select * from portolan.wanted_rights()
  ), objects as (
    select 'pg_namespace'::regclass::oid as catalogue, n.oid as object, 0 as attnum, 'schema portolan' as name,
      n.nspowner as owner, coalesce(n.nspacl, acldefault('n', n.nspowner)) as acl
    from pg_namespace n
    where n.nspname = 'portolan'
    union all
    select 'pg_class'::regclass, c.oid, 0, format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass),
      c.relowner, coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
    from pg_class c
    where c.relnamespace = 'portolan'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'pg_class'::regclass, c.oid, a.attnum, format('table %s', c.oid::regclass), c.relowner, a.attacl
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'portolan'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0
      and not a.attisdropped
    union all
    select 'pg_proc'::regclass, p.oid, 0, format('function %s', p.oid::regprocedure), p.proowner,
      coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p
    where p.pronamespace = 'portolan'::regnamespace and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  ), actual as materialized (
    select o.catalogue, o.object, o.attnum, a.grantee, a.privilege_type as privilege
    from objects o cross join aclexplode(o.acl) a
    where a.grantee <> o.owner
  ), differences as (
    select true as missing, w.* from (select * from wanted except select * from actual) w
    union all
    select false, a.* from (select * from actual except select * from wanted) a
    where a.grantee = 0 or exists (
      select from pg_roles r
      where r.oid = a.grantee
        and (r.rolname in (portolan.role_name('owner'), portolan.runner_role())
          or exists (select from portolan.users u where u.role = r.rolname and u.role_made)))
  ), recorded (relation, role, privileges) as (
    select p.relation, u.role,
      case p.privilege when 'read' then '{SELECT}' else '{SELECT, INSERT, UPDATE, DELETE}' end::text[]
    from portolan.privileges p join portolan.users u on u.name = p.user_name
    union all
    select a.relation, portolan.role_name('anonymous'), '{SELECT}'
    from portolan.authentication a
    where a.level <> 'Read/write'
  ), recorded_roles as (
    select c.oid as relation, c.relnamespace, r.oid as role, d.privileges
    from recorded d join pg_class c on c.oid = d.relation join pg_roles r on r.rolname = d.role
  ), made_roles (role) as (
    select u.role from portolan.users u where u.role_made
    union all
    select portolan.role_name('owner')
  )
  select 'role', format('the role %I is missing', m.role), format('create role %I nologin;', m.role)
  from (values (portolan.role_name('owner')), (portolan.role_name('anonymous')), (portolan.runner_role())) m (role)
  where to_regrole(quote_ident(m.role)) is null
  union all
  -- what would take an account above every grant and policy, or its group from it
  select 'role', format('the role %I %s', r.rolname, w.finding), format('alter role %I %s;', r.rolname, w.attribute)
  from made_roles m
    join pg_roles r on r.rolname = m.role
    cross join lateral (values
      (r.rolsuper, 'is a superuser', 'nosuperuser'),
      (r.rolbypassrls, 'is above row level security', 'nobypassrls'),
      (r.rolcreaterole, 'may make and change roles', 'nocreaterole'),
      (not r.rolinherit, 'does not inherit the rights of its group', 'inherit')) w (applies, finding, attribute)
  where w.applies
  union all
  select 'role', format('the owner of Portolan, %I, may not make roles for accounts', r.rolname),
    format('alter role %I createrole;', r.rolname)
  from pg_namespace n join pg_roles r on r.oid = n.nspowner
  where n.nspname = 'portolan' and not (r.rolcreaterole or r.rolsuper)
  union all
  select 'role', format('the role %I inherits the rights of accounts', r.rolname), format('alter role %I noinherit;', r.rolname)
  from pg_roles r
  where r.rolname = portolan.runner_role() and r.rolinherit
  union all
  select 'membership', format('%I is no member of %I', m.member, m.role), format('grant %I to %I;', m.role, m.member)
  from portolan.wanted_memberships() m
  where not exists (
    select from pg_auth_members a
    where a.roleid = to_regrole(quote_ident(m.role)) and a.member = to_regrole(quote_ident(m.member)))
  union all
  select 'right',
    format('%s %s %s on %s', g.role, case when d.missing then 'lacks' else 'should not have' end, d.privileges, o.name),
    format(case when d.missing then 'grant %s on %s to %s;' else 'revoke %s on %s from %s;' end, d.privileges, o.name, g.role)
  from (
    select d.missing, d.catalogue, d.object, d.grantee, min(d.attnum) as attnum,
      case when min(d.attnum) = 0 then string_agg(d.privilege, ', ' order by d.privilege)
        else format('%s (%s)', min(d.privilege), string_agg(quote_ident(a.attname), ', ' order by d.attnum)) end as privileges
    from differences d left join pg_attribute a on d.attnum > 0 and a.attrelid = d.object and a.attnum = d.attnum
    group by d.missing, d.catalogue, d.object, d.grantee, case when d.attnum > 0 then d.privilege end
  ) d
    join objects o on o.catalogue = d.catalogue and o.object = d.object and o.attnum = d.attnum
    cross join lateral (select portolan.role_sql(d.grantee) as role) g
  union all
  select 'privilege', format('%s lacks %s on %s', g.role, string_agg(p.privilege, ', '), d.relation::regclass),
    format('grant %s on table %s to %s;', string_agg(p.privilege, ', '), d.relation::regclass, g.role)
  from recorded_roles d
    cross join unnest(d.privileges) p (privilege)
    cross join lateral (select portolan.role_sql(d.role) as role) g
  where not exists ( -- its own grant, which privileges_of shows: what it inherits may end
    select from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
    where c.oid = d.relation and a.grantee = d.role and a.privilege_type = p.privilege)
  group by g.role, d.relation
  union all
  select distinct 'privilege', format('%s lacks USAGE on schema %I', portolan.role_sql(d.role), n.nspname),
    format('grant usage on schema %I to %s;', n.nspname, portolan.role_sql(d.role))
  from recorded_roles d join pg_namespace n on n.oid = d.relnamespace
  where not has_schema_privilege(d.role, n.oid, 'usage')
  union all
  select distinct 'privilege', format('%s lacks USAGE on sequence %s', portolan.role_sql(d.role), s.objid::regclass),
    format('grant usage on sequence %s to %s;', s.objid::regclass, portolan.role_sql(d.role))
  from recorded_roles d
    join pg_depend s on s.classid = 'pg_class'::regclass and s.refclassid = 'pg_class'::regclass
      and s.refobjid = d.relation and s.deptype in ('a', 'i')
    join pg_class c on c.oid = s.objid
  where 'INSERT' = any (d.privileges)
    and case c.relkind when 'S' then not has_sequence_privilege(d.role, s.objid, 'usage') else false end
$$;

COMMENT ON FUNCTION portolan.rights_to_mend() IS 'What differs between the catalogue and the roles and rights that Portolan needs, each with the SQL that mends it.';

CREATE FUNCTION portolan.role_name(name text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_role text := name || '@' || current_database();
begin
  if octet_length(v_role) > 63 then
    raise exception 'the role name "%" is longer than 63 bytes', v_role using errcode = 'PX400';
  end if;
  return v_role;
end
$$;

COMMENT ON FUNCTION portolan.role_name(name text) IS 'The PostgreSQL role of an account in this database: name@database.';

CREATE FUNCTION portolan.role_sql(role oid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end
$$;

COMMENT ON FUNCTION portolan.role_sql(role oid) IS 'A grantee as GRANT takes it.';

CREATE FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) RETURNS TABLE(outcome text, user_name text, scope text, successor text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  v_family portolan.token_families;
  v_token portolan.refresh_tokens;
  v_outcome text;
begin
  select f.* into v_family from portolan.token_families f where f.id = rotate_refresh_token.family for update;
  if not found or v_family.revoked_at is not null or v_family.expires_at <= clock_timestamp()
    or not exists (
      select from portolan.users u where u.name = v_family.user_name and u.token_version = v_family.token_version)
  then
    return query select 'ended', null::text, null::text, null::text;
    return;
  end if;
  if v_family.client_id <> rotate_refresh_token.client_id then
    return query select 'other_client', null::text, null::text, null::text;
    return;
  end if;
  select t.* into v_token from portolan.refresh_tokens t where t.id = token and t.family = v_family.id;
  v_outcome := case
    when v_token.id is not null and v_token.rotated_at is null then 'rotated'
    when v_token.rotated_at > clock_timestamp() - interval '30 seconds' then 'repeated'
    when (select c.refresh_reuse from portolan.clients c where c.id = v_family.client_id) = 'allow' then 'rotated'
    else 'reused'
  end;
  if v_outcome = 'reused' then
    perform portolan.revoke_family(v_family.id, v_family.client_id);
  elsif v_outcome = 'rotated' then
    update portolan.refresh_tokens t
    set rotated_at = clock_timestamp(), successor = sealed
    where t.id = v_token.id and t.rotated_at is null;
    insert into portolan.refresh_tokens (id, family) values (next, v_family.id);
    update portolan.token_families f
    set expires_at = greatest(f.expires_at, clock_timestamp() + make_interval(secs => greatest(access_seconds, refresh_seconds)))
    where f.id = v_family.id;
  end if;
  return query
    select v_outcome, v_family.user_name, v_family.scope, case v_outcome when 'repeated' then v_token.successor end;
end
$$;

COMMENT ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) IS 'Exchanges a refresh token for the next.';

CREATE FUNCTION portolan.rotate_signing_key(kid text, public_jwk jsonb, private_jwk jsonb, at_once boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_from timestamptz := clock_timestamp() + case when at_once then interval '0' else interval '5 seconds' end;
begin
  if at_once then
    delete from portolan.signing_keys;
  else
    update portolan.signing_keys k set retired_at = v_from where k.retired_at is null;
  end if;
  insert into portolan.signing_keys (kid, public_jwk, private_jwk, signs_from)
  values (kid, public_jwk, private_jwk, v_from);
  insert into portolan.audit (event, account, details)
  values ('keys.rotated', session_user, jsonb_build_object('kid', kid, 'at_once', at_once));
end
$$;

COMMENT ON FUNCTION portolan.rotate_signing_key(kid text, public_jwk jsonb, private_jwk jsonb, at_once boolean) IS 'Publishes a new signing key.';

CREATE FUNCTION portolan.row_estimate(relation regclass) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(sum(
    case when c.relpages > 0 then c.reltuples / c.relpages else 60 end
      * (pg_relation_size(c.oid) / current_setting('block_size')::integer)), 0)::bigint
  from unnest(portolan.event_members(relation)) m (oid) join pg_class c on c.oid = m.oid and c.relkind = 'r'
$$;

COMMENT ON FUNCTION portolan.row_estimate(relation regclass) IS 'About how many rows a table and its partitions have.';

CREATE FUNCTION portolan.row_keys(relation oid) RETURNS text[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_text text := (
    select string_agg(
      regexp_replace(pg_get_expr(p.polqual, p.polrelid), '("(?:[^"]|"")*")|''(?:[^'']|'''')*''', '\1', 'g'), ' ')
    from pg_policy p
    where p.polrelid = relation and p.polcmd in ('r', '*') and p.polname like 'portolan\_rules\_%');
begin
  if exists (
    select from pg_policy p
    where p.polrelid = relation and p.polcmd in ('r', '*') and not portolan.is_own_policy(p.polname))
    or regexp_replace(v_text, '"(?:[^"]|"")*"', '""', 'g')
      ~ '\m(CURRENT_DATE|CURRENT_TIME|CURRENT_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP|CURRENT_CATALOG|CURRENT_SCHEMA)\M'
    or exists (
      select from regexp_matches(v_text, '(?<![\w"$])("?)([a-z_][a-z0-9_]*)\1\(', 'g') m
        join pg_proc f on f.proname = m[2]
      where f.provolatile <> 'i' and f.pronamespace <> 'portolan'::regnamespace)
  then
    return null;
  end if;
  return array(
    select distinct k.key
    from portolan.rule_map m
      join portolan.rules r on r.id = m.id
      cross join portolan.read_filter(r.filter) f
      cross join unnest(f.keys) k (key)
    where m.relation = row_keys.relation and m.command = 'r' and m.access = 'l'
    order by k.key);
end
$_$;

COMMENT ON FUNCTION portolan.row_keys(relation oid) IS 'Which members of a caller''s properties decide which rows of a table it sees.';

CREATE FUNCTION portolan.rule(relation regclass, command "char") RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_superuser boolean;
  v_rule integer;
begin
  select m.superuser into v_superuser from portolan.me m;
  if not found then
    return -1;
  elsif v_superuser then
    return 0;
  end if;
  select case r.access when 'a' then 0 when 'd' then -1 else r.id end into v_rule
  from portolan.my_rules r
  where r.relation = rule.relation and r.command = rule.command
  order by r.priority, r.id
  limit 1;
  return coalesce(v_rule, 0);
end
$$;

COMMENT ON FUNCTION portolan.rule(relation regclass, command "char") IS 'What the rules say of a command on a table for the caller: 0 allow, -1 deny, else the number of a limit rule.';

CREATE FUNCTION portolan.rule_notes(id integer) RETURNS text[]
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array_remove(array[
      case when not exists (
        select from portolan.users u where u.name like portolan.like_pattern(r.username)) then
        format('no account matches "%s" yet', r.username) end,
      case when not exists (select from portolan.rule_map m where m.id = r.id) then
        'no table matches it yet' end
    ], null)
  from portolan.rules r
  where r.id = rule_notes.id
$$;

COMMENT ON FUNCTION portolan.rule_notes(id integer) IS 'What of a rule matches nothing yet.';

CREATE FUNCTION portolan.rule_record(rule jsonb, base jsonb) RETURNS portolan.rules
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_unknown text;
  v_rule portolan.rules;
begin
  if jsonb_typeof(rule) is distinct from 'object' then
    raise exception 'a rule is a JSON object' using errcode = 'PX400';
  end if;
  select string_agg(format('"%s"', k.key), ', ') into v_unknown
  from jsonb_object_keys(rule) k (key)
  where k.key not in (
    'id', 'priority', 'username', 'service', 'request', 'schema', 'table', 'iprange', 'access', 'filter');
  if v_unknown is not null then
    raise exception 'a rule has no %', v_unknown using errcode = 'PX400';
  end if;
  begin
    v_rule := jsonb_populate_record(null::portolan.rules, base || rule);
  exception
    when data_exception then
      raise exception 'the rule has a value of the wrong type: %', sqlerrm using errcode = 'PX400';
  end;
  if v_rule.access is null or v_rule.access not in ('allow', 'limit', 'deny') then
    raise exception 'access is allow, limit or deny' using errcode = 'PX400';
  elsif v_rule.access = 'limit' and v_rule.filter is null then
    raise exception 'access limit needs a filter, which says of which rows' using errcode = 'PX400';
  elsif v_rule.access <> 'limit' and v_rule.filter is not null then
    raise exception 'a filter belongs to access limit, and to no other' using errcode = 'PX400';
  elsif v_rule.service not in ('*', 'graphql', 'rpc', 'sql', 'events', 'ogc') then
    raise exception 'service is graphql, rpc, sql, events, ogc or *' using errcode = 'PX400';
  elsif v_rule.request not in ('*', 'select', 'insert', 'update', 'delete') then
    raise exception 'request is select, insert, update, delete or *' using errcode = 'PX400';
  elsif num_nulls(
    v_rule.priority, v_rule.username, v_rule.service, v_rule.request, v_rule.schema, v_rule."table", v_rule.iprange) > 0
  then
    raise exception 'only filter can be null' using errcode = 'PX400';
  elsif v_rule.id <= 0 then
    raise exception 'the number of a rule is positive' using errcode = 'PX400';
  end if;
  return v_rule;
end
$$;

COMMENT ON FUNCTION portolan.rule_record(rule jsonb, base jsonb) IS 'The row of portolan.rules that a JSON object says.';

CREATE FUNCTION portolan.runner_login(verifier text, connections integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.one_at_a_time(); -- PostgreSQL refuses to change one role twice at once
  perform portolan.set_login(portolan.runner_role(), verifier, connections);
end
$$;

COMMENT ON FUNCTION portolan.runner_login(verifier text, connections integer) IS 'Lets the runner of published methods log in.';

CREATE FUNCTION portolan.runner_role() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select portolan.role_name('.runner')
$$;

COMMENT ON FUNCTION portolan.runner_role() IS 'The login under which published methods run for accounts without one.';

CREATE FUNCTION portolan.secrets() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select jsonb_build_object(
    'signing_key', (
      select jsonb_build_object('kid', k.kid, 'alg', k.alg, 'jwk', k.private_jwk)
      from portolan.signing_keys k
      where k.signs_from <= clock_timestamp() and (k.retired_at is null or k.retired_at > clock_timestamp())
      order by k.signs_from desc, k.created_at desc, k.kid
      limit 1),
    'own_sql_secret', (select s.value from portolan.settings s where s.name = 'own_sql_secret'))
$$;

COMMENT ON FUNCTION portolan.secrets() IS 'The private signing key and the secret of the own-SQL logins.';

CREATE FUNCTION portolan.set_asleep(asleep boolean) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET synchronous_commit TO 'off'
    AS $$
  select setval('portolan.asleep', asleep::integer)
$$;

COMMENT ON FUNCTION portolan.set_asleep(asleep boolean) IS 'Tells writers whether the reader of change events sleeps.';

CREATE FUNCTION portolan.set_authentication(relation regclass, level text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if level is null or level not in ('None', 'Write', 'Read/write') then
    raise exception 'an authentication level is None, Write or Read/write' using errcode = 'PX400';
  end if;
  if level <> 'Read/write' then
    perform portolan.close_relation(relation);
  end if;
  perform portolan.apply_authentication(relation, level);
  perform portolan.refresh_mirror(relation);
  insert into portolan.authentication as a (relation, level)
  values (relation, level)
  on conflict on constraint authentication_pkey do update set level = excluded.level;
end
$$;

COMMENT ON FUNCTION portolan.set_authentication(relation regclass, level text) IS 'Says who must sign in to read a table or view: None, Write (both: readable by anybody) or Read/write.';

CREATE FUNCTION portolan.set_client_secret(id text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_client portolan.clients := portolan.existing_client(id);
  v_secret text := portolan.new_secret();
begin
  if v_client.public then
    raise exception 'the client "%" is public and has no secret', v_client.id using errcode = 'PX400';
  end if;
  update portolan.clients c
  set secret_hash = encode(sha256(convert_to(v_secret, 'UTF8')), 'hex')
  where c.id = v_client.id;
  return v_secret;
end
$$;

COMMENT ON FUNCTION portolan.set_client_secret(id text) IS 'Gives a confidential OAuth client a new secret, which cannot be read again.';

CREATE FUNCTION portolan.set_login(role text, verifier text, connections integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  if verifier is null
    or verifier !~ '^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$'
  then
    raise exception 'not a SCRAM verifier' using errcode = 'PX400';
  end if;
  execute format(
    'alter role %I login password %L connection limit %s', role, verifier, least(greatest(connections, 1), 1000));
end
$_$;

COMMENT ON FUNCTION portolan.set_login(role text, verifier text, connections integer) IS 'Gives a role that Portolan made a login.';

CREATE FUNCTION portolan.set_password(name text, password text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if v_user.name = 'anonymous' or password is null then
    raise exception 'the account "%" cannot have this password', v_user.name using errcode = 'PX400';
  end if;
  update portolan.users u
  set
    password = portolan.hash_password(set_password.password),
    token_version = greatest(u.token_version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where u.name = v_user.name;
  delete from portolan.one_time_links l where l.user_name = v_user.name;
end
$$;

COMMENT ON FUNCTION portolan.set_password(name text, password text) IS 'Gives an account a new password, a text or an argon2, bcrypt or scrypt hash; its tokens end.';

CREATE FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_user portolan.users;
begin
  perform portolan.one_at_a_time();
  v_user := portolan.existing_account(user_name);
  perform portolan.check_relation(relation);
  if privilege is null or privilege not in ('none', 'read', 'write', 'all') then
    raise exception 'a privilege is none, read, write or all' using errcode = 'PX400';
  end if;
  if privilege <> 'none' then
    perform portolan.close_relation(relation);
  end if;
  perform portolan.apply_privilege(relation, v_user.role, privilege);
  perform portolan.refresh_mirror(relation);
  -- a GRANT by a role that has the right itself, but may not hand it on, is a warning in PostgreSQL
  if not has_table_privilege(v_user.role, relation, 'select') and privilege <> 'none'
    or not has_table_privilege(v_user.role, relation, 'insert') and privilege in ('write', 'all')
  then
    raise exception 'the owner of Portolan may not grant on %', relation using errcode = 'insufficient_privilege';
  end if;
  if privilege = 'none' then
    delete from portolan.privileges p
    where p.relation = set_privilege.relation and p.user_name = v_user.name;
  else
    insert into portolan.privileges as p (relation, user_name, privilege)
    values (relation, v_user.name, privilege)
    on conflict on constraint privileges_pkey do update set privilege = excluded.privilege;
  end if;
end
$$;

COMMENT ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) IS 'Says what an account may do with a table or view: none, read, write or all.';

CREATE FUNCTION portolan.set_style(relation regclass, style jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.check_relation(relation);
  if style is null or style = 'null' then
    delete from portolan.styles s where s.relation = set_style.relation;
    return;
  end if;
  if exists (select from portolan.rasters r where r.relation = set_style.relation) then
    raise exception '% is a raster, which has no style', relation using errcode = 'PX400';
  end if;
  perform portolan.check_style(relation, style);
  insert into portolan.styles as s (relation, style)
  values (relation, style)
  on conflict on constraint styles_pkey do update set style = excluded.style;
end
$$;

COMMENT ON FUNCTION portolan.set_style(relation regclass, style jsonb) IS 'Says how a table or view is drawn on maps.';

CREATE FUNCTION portolan.set_workflow(relation regclass, settings jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION portolan.set_workflow(relation regclass, settings jsonb) IS 'Sets roles and state of the workflow of a table.';

CREATE FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_user portolan.users := portolan.existing_account(user_name);
  v_level integer := array_position('{author,reviewer,publisher}', role);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if role is null or v_level is null and role <> 'none' then
    raise exception 'a role is author, reviewer, publisher or none' using errcode = 'PX400';
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

COMMENT ON FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) IS 'Says what an account is in the workflow of a table: author, reviewer, publisher or none.';

CREATE FUNCTION portolan.shape_stamp(relation oid) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    select bit_xor(a.attnum::bigint * 65599 * a.atttypid::bigint)
    from pg_attribute a
    where a.attrelid = relation and a.attnum > 0);
end
$$;

COMMENT ON FUNCTION portolan.shape_stamp(relation oid) IS 'A number that changes with the columns of a table and their types.';

CREATE FUNCTION portolan.share_new(relations oid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_following text := current_setting('portolan.following', true);
  v_statement text;
begin
  if to_regrole(quote_ident(portolan.role_name('owner'))) is null then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  for v_statement in
    select m.statement from portolan.missing_owner_rights(portolan.shown_schemas()) m where m.relation = any (relations)
  loop
    execute v_statement;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

COMMENT ON FUNCTION portolan.share_new(relations oid[]) IS 'Gives super users their rights on tables that are being made.';

CREATE FUNCTION portolan.share_with_owner(schemas text[]) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_schemas text[] := array(
    select s from unnest(schemas) s
    where s !~ '^pg_' and s not in ('information_schema', 'portolan')
      and not exists (select from portolan.history_schemas h where h.name = s)); -- nobody writes what was
  v_missing record;
  v_following text := current_setting('portolan.following', true);
  v_alone boolean := false;
  v_busy boolean := false;
begin
  if not exists (select from portolan.missing_owner_rights(v_schemas)) then
    return;
  end if;
  perform portolan.one_at_a_time();
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  -- Two that grant on one object at once: the second fails ("tuple concurrently updated"), and that must not be somebody's
  -- script. GRANT and DDL open the catalogue for writing before they read what they change, and hold that until their
  -- transaction ends. So where the owner may lock the catalogue, as a superuser may, they are over when it is locked, and
  -- those that come wait for the moment that this takes. Nothing is waited for meanwhile: they could be what it waits for.
  begin
    lock table pg_catalog.pg_class, pg_catalog.pg_proc, pg_catalog.pg_namespace in share mode nowait;
    v_alone := true;
  exception
    when lock_not_available then v_busy := true;
    when insufficient_privilege then null;
  end;
  begin
    for v_missing in select m.statement, m.relation from portolan.missing_owner_rights(v_schemas) m loop
      -- without the lock: whoever has begun is looked for, here, and whoever comes meanwhile at the end
      v_busy := v_busy or not v_alone and exists (
        select from pg_locks l
        where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.pid <> pg_backend_pid()
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.relation in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_namespace'::regclass));
      exit when v_busy;
      begin
        -- whoever alters the table has begun, perhaps, and not opened the catalogue yet
        if v_missing.relation is not null then
          execute format('lock table %s in access share mode %s', v_missing.relation, case when v_alone then 'nowait' end);
        end if;
        execute v_missing.statement;
      exception
        when insufficient_privilege then null; -- told below
        when lock_not_available then v_busy := true;
        when undefined_table or undefined_function or undefined_object then null; -- dropped meanwhile
      end;
    end loop;
    if not v_alone then
      perform portolan.follow_history(); -- which waits for locks; else follow_ddl does it, in a transaction of its own
      if exists (
        select from pg_locks l
        where l.locktype = 'transactionid' and not l.granted and pg_backend_pid() = any (pg_blocking_pids(l.pid)))
      then
        raise lock_not_available; -- undone: whoever waits for it goes on as if it had never been
      end if;
    end if;
  exception
    when lock_not_available then v_busy := true;
  end;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  -- looked at again: a GRANT without the right to it may be no more than a warning
  return query select m.statement from portolan.missing_owner_rights(v_schemas) m;
  if v_busy then
    return next null;
  end if;
end
$$;

COMMENT ON FUNCTION portolan.share_with_owner(schemas text[]) IS 'Gives super users their rights on all objects of the schemas; returns the statements that are still needed.';

CREATE FUNCTION portolan.shown_schemas() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(
    (select array(select jsonb_array_elements_text(s.value)) from portolan.settings s where s.name = 'schemas'),
    portolan.exposed_schemas())
$$;

COMMENT ON FUNCTION portolan.shown_schemas() IS 'The schemas that the service shows.';

CREATE FUNCTION portolan.stamped_members(relation oid) RETURNS oid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_class record;
  v_members oid[] := array[relation];
begin
  select c.relkind, c.relispartition into v_class from pg_class c where c.oid = relation;
  if v_class.relkind is null or v_class.relkind not in ('r', 'p') then
    return null;
  elsif v_class.relkind = 'p' or v_class.relispartition then
    v_members := array(
      select p.relid::oid from pg_partition_tree(relation) p
      union
      select a.relid::oid from pg_partition_ancestors(relation) a (relid)
      order by 1);
  elsif exists (select from pg_inherits i where i.inhparent = relation or i.inhrelid = relation) then
    return null;
  end if;
  if exists (
    select from unnest(v_members) m (oid)
    where 4 > all (
      select count(t.oid)
      from (values ('keep_history'), ('emit_event')) k (task)
        left join pg_trigger t
          on t.tgrelid = m.oid and t.tgenabled in ('O', 'A')
          and t.tgfoid = to_regprocedure(format('portolan.tg_%s__%s()', m.oid, k.task))
          -- those of history have not always written it
          and exists (select from pg_proc p where p.oid = t.tgfoid and position('portolan.outbox' in p.prosrc) > 0)
      group by k.task))
  then
    return null;
  end if;
  return v_members;
end
$$;

COMMENT ON FUNCTION portolan.stamped_members(relation oid) IS 'The relations under which the outbox tells of writes to a table.';

CREATE FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into portolan.token_families (id, client_id, user_name, scope, token_version, expires_at)
  values (
    family, client_id, user_name, scope, token_version,
    clock_timestamp() + make_interval(secs => greatest(access_seconds, case when refresh is null then 0 else refresh_seconds end)));
  insert into portolan.refresh_tokens (id, family) select refresh, family where refresh is not null
$$;

COMMENT ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer) IS 'Begins a family of tokens.';

CREATE FUNCTION portolan.style_column(relation regclass, name text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
      when b.typname in ('int2', 'int4', 'int8') then 'integer'
      when b.typname in ('numeric', 'float4', 'float8') then 'decimal'
      when b.typcategory = 'B' then 'boolean'
      when b.typcategory = 'D' then 'datetime'
      when b.typcategory in ('S', 'E', 'I') or b.typname = 'uuid' then 'text'
      else 'other'
    end
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
  where a.attrelid = relation and a.attname = style_column.name and a.attnum > 0 and not a.attisdropped
$$;

COMMENT ON FUNCTION portolan.style_column(relation regclass, name text) IS 'What a style can do with a column.';

CREATE FUNCTION portolan.style_of(relation regclass) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select s.style from portolan.styles s where s.relation = style_of.relation
$$;

COMMENT ON FUNCTION portolan.style_of(relation regclass) IS 'The style that was set for a table or view.';

CREATE FUNCTION portolan.style_problem(relation regclass, style text) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.check_style(relation, style::jsonb);
  return null;
exception
  when sqlstate 'PX400' then
    return sqlerrm;
  when data_exception then
    return 'style: expected JSON';
end
$$;

COMMENT ON FUNCTION portolan.style_problem(relation regclass, style text) IS 'What is wrong with a style; null when it is right.';

CREATE FUNCTION portolan.sync_events(schemas text[], everything boolean) RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '300ms'
    AS $$
declare
  v_table record;
begin
  if not exists (select from portolan.event_tables_to_change(schemas, everything))
    and not exists (
      select from portolan.event_tables t where not exists (select from pg_class c where c.oid = t.relation))
  then
    return;
  end if;
  perform portolan.one_at_a_time();
  delete from portolan.event_tables t where not exists (select from pg_class c where c.oid = t.relation);
  for v_table in select c.relation, c.wanted from portolan.event_tables_to_change(schemas, everything) c loop
    begin
      if v_table.wanted then
        perform portolan.install_events(v_table.relation);
      else
        perform portolan.remove_events(v_table.relation);
      end if;
    exception
      when lock_not_available or deadlock_detected then
        problem := format('%s is in use', v_table.relation);
        busy := true;
        return next;
      when others then
        problem := sqlerrm;
        busy := false;
        return next;
    end;
  end loop;
  perform portolan.clear_event_functions();
exception
  when lock_not_available then
    problem := 'another transaction changes accounts or rights';
    busy := true;
    return next;
end
$$;

COMMENT ON FUNCTION portolan.sync_events(schemas text[], everything boolean) IS 'Makes the triggers of events what comments, settings and configuration say.';

CREATE FUNCTION portolan.sync_history_columns(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_column record;
  v_policy name;
  v_filled text[] := '{}';
  v_key text[] := portolan.key_columns(relation);
begin
  if not exists (
    select from (
        select a.attnum, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
        from pg_attribute a
        where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      ) a
      full join (
        select v.* from portolan.versioned_columns v where v.relation = sync_history_columns.relation
      ) v using (attnum, name, type)
    where a.attnum is null or v.relation is null)
  then
    return;
  end if;
  for v_policy in select p.polname from pg_policy p where p.polrelid = history loop
    execute format('drop policy %I on %s', v_policy, history); -- they are mirrored again
  end loop;
  update portolan.versioned_tables v set mirrored = '' where v.relation = sync_history_columns.relation;
  perform portolan.drop_as_of(history);

  for v_column in
    select v.attnum, v.name
    from portolan.versioned_columns v
    where v.relation = sync_history_columns.relation
      and not exists (select from pg_attribute a where a.attrelid = relation and a.attnum = v.attnum and not a.attisdropped)
  loop
    execute format('alter table %s rename column %I to %I', history, v_column.name,
      left(v_column.name, 40) || '__gone_' || v_column.attnum);
    delete from portolan.versioned_columns v
    where v.relation = sync_history_columns.relation and v.attnum = v_column.attnum;
  end loop;
  -- names first to ones that nothing has, for two columns may have changed theirs with each other
  for v_column in
    select v.attnum, v.name, a.attname
    from portolan.versioned_columns v join pg_attribute a on a.attrelid = relation and a.attnum = v.attnum
    where v.relation = sync_history_columns.relation and a.attname <> v.name
  loop
    execute format('alter table %s rename column %I to %I', history, v_column.name, 'portolan_' || v_column.attnum);
  end loop;
  for v_column in
    select v.attnum, a.attname
    from portolan.versioned_columns v join pg_attribute a on a.attrelid = relation and a.attnum = v.attnum
    where v.relation = sync_history_columns.relation and a.attname <> v.name
  loop
    execute format('alter table %s rename column %I to %I', history, 'portolan_' || v_column.attnum, v_column.attname);
    update portolan.versioned_columns v
    set name = v_column.attname
    where v.relation = sync_history_columns.relation and v.attnum = v_column.attnum;
  end loop;

  for v_column in
    select a.attnum, a.attname, format_type(a.atttypid, a.atttypmod) as type, v.type as before,
      a.atthasdef or a.attidentity <> '' or a.attgenerated <> '' as has_values,
      (select ' collate ' || l.oid::regcollation from pg_collation l
       where l.oid = a.attcollation and l.collname <> 'default') as collation
    from pg_attribute a
      left join portolan.versioned_columns v
        on v.relation = sync_history_columns.relation and v.attnum = a.attnum
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and v.type is distinct from format_type(a.atttypid, a.atttypmod)
    order by a.attnum
  loop
    if v_column.before is not null then
      begin
        execute format('alter table %s alter column %I type %s%s using %2$I::%3$s', history, v_column.attname, v_column.type,
          v_column.collation);
      exception
        when data_exception or cannot_coerce or datatype_mismatch or undefined_function or check_violation then
          execute format('alter table %s rename column %I to %I', history, v_column.attname,
            left(v_column.attname, 40) || '__was_' || to_char(clock_timestamp(), 'YYYYMMDDHH24MISS'));
          v_column.before := null;
      end;
      v_filled := v_filled || v_column.attname::text;
    elsif v_column.has_values then
      v_filled := v_filled || v_column.attname::text;
    end if;
    if v_column.before is null then
      execute format('alter table %s add column %I %s%s', history, v_column.attname, v_column.type, v_column.collation);
    end if;
    insert into portolan.versioned_columns as v (relation, attnum, name, type)
    values (relation, v_column.attnum, v_column.attname, v_column.type)
    on conflict on constraint versioned_columns_pkey do update set type = excluded.type;
  end loop;

  v_filled := array(select f from unnest(v_filled) f where f <> all (v_key));
  if cardinality(v_filled) > 0 and exists (select from pg_index i where i.indrelid = history) then
    execute format(
      'update %s h set %s from %s b where h.portolan_to = ''infinity'' and %s',
      history,
      (select string_agg(format('%1$I = b.%1$I', f), ', ') from unnest(v_filled) f),
      relation,
      (select string_agg(format('h.%1$I = b.%1$I', k), ' and ') from unnest(v_key) k));
    if 'portolan_status' = any (v_filled) then
      execute format('update %s h set portolan_status = 3 where portolan_status is null', history);
    end if;
  end if;
end
$_$;

COMMENT ON FUNCTION portolan.sync_history_columns(relation regclass, history regclass) IS 'Gives the twin of a table the columns that the table has.';

CREATE FUNCTION portolan.table_ddl(change jsonb, relation text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
begin
  case change ->> 'op'
    when 'create_table' then
      return format(E'create table %s (\n  %s\n);\nalter table %1$s owner to %3$I;', relation, (
          select string_agg(d.text, E',\n  ' order by d.place)
          from (
            select portolan.column_sql(c.column) as text, c.place
            from jsonb_array_elements(change -> 'columns') with ordinality c ("column", place)
            union all
            select format('primary key (%s)', portolan.identifiers(change -> 'key')), 10000
            where jsonb_array_length(change -> 'key') > 0
          ) d
        ), portolan.role_name('owner'))
        || case when change ->> 'comment' is null then ''
          else format(E'\ncomment on table %s is %L;', relation, change ->> 'comment') end
        || coalesce((
          select string_agg(E'\n' || format('comment on column %s.%I is %L;', relation, c ->> 'name', c ->> 'comment'), '')
          from jsonb_array_elements(change -> 'columns') c
          where c ->> 'comment' is not null), '');
    when 'alter_table' then
      return format('alter table %s rename to %s;', relation, portolan.identifier(change ->> 'name'));
    when 'drop_table' then
      return format('drop %s %s;', (
        select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end
        from pg_class c where c.oid = relation::regclass), relation);
  end case;
end
$_$;

COMMENT ON FUNCTION portolan.table_ddl(change jsonb, relation text) IS 'SQL that makes, renames or drops a table.';

CREATE FUNCTION portolan.table_stamp(relation oid, known text DEFAULT NULL::text, OUT stamp text, OUT unchanged boolean) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_variable
declare
  v_caller constant name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_now pg_snapshot;
  v_timeline text;
  v_members oid[];
  v_shape text;
  v_parts text[];
  v_holds boolean;
  v_known pg_snapshot;
begin
  if pg_is_in_recovery() or pg_current_xact_id_if_assigned() is not null
    or not coalesce(has_any_column_privilege(v_caller, relation, 'select'), false)
  then
    return;
  end if;
  v_now := pg_current_snapshot();
  v_timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  v_parts := string_to_array(known, ' ');
  v_holds := cardinality(v_parts) = 3 and starts_with(v_parts[1], v_timeline || '/')
    and to_timestamp(v_parts[3]::float8) > (select a.backend_start from pg_stat_get_activity(pg_backend_pid()) a);
  if v_holds and v_parts[2] = v_now::text then
    stamp := concat_ws(' ', v_parts[1], v_now, extract(epoch from clock_timestamp()));
    unchanged := true;
    return;
  end if;
  v_members := portolan.stamped_members(relation);
  if v_members is null then
    return;
  end if;
  v_shape := v_timeline || '/' || portolan.members_stamp(v_members);
  stamp := concat_ws(' ', v_shape, v_now, extract(epoch from clock_timestamp()));
  unchanged := false;
  if v_holds and v_parts[1] = v_shape then
    v_known := v_parts[2]::pg_snapshot;
    unchanged := pg_snapshot_xmax(v_now) >= pg_snapshot_xmax(v_known)
      and not exists (select from pg_snapshot_xip(v_now) x (xid) where pg_visible_in_snapshot(x.xid, v_known))
      -- what is older than the first batch may have been cleared
      and pg_snapshot_xmin(v_known) >= coalesce(
        (select pg_snapshot_xmin(b.snapshot) from portolan.batches b order by b.n limit 1), pg_snapshot_xmin(v_known))
      and (
        -- after very many writes to other tables it is not worth looking
        select count(*) filter (where w.relation = any (v_members)) = 0 and count(*) <= 10000
        from (
          select o.relation
          from portolan.outbox o
          where o.xid >= pg_snapshot_xmax(v_known) or o.xid = any (array(select pg_snapshot_xip(v_known)))
          limit 10001
        ) w);
  end if;
end
$$;

COMMENT ON FUNCTION portolan.table_stamp(relation oid, known text, OUT stamp text, OUT unchanged boolean) IS 'A stamp of what a table holds for the calling statement, and whether that is what it was at an earlier stamp.';

CREATE FUNCTION portolan.table_state(relation oid, known text DEFAULT NULL::text, OUT stamp text, OUT unchanged boolean, OUT viewer json) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
begin
  select s.stamp, s.unchanged into stamp, unchanged from portolan.table_stamp(relation, known) s;
  if stamp is not null and row_security_active(relation) then
    viewer := (
      select json_build_object(
        'rule', portolan.rule(relation, 'r'),
        'level', portolan.workflow_level(coalesce(pg_partition_root(relation), relation)),
        'name', (select m.name from portolan.me m),
        'properties', (select m.properties from portolan.me m)));
  end if;
end
$$;

COMMENT ON FUNCTION portolan.table_state(relation oid, known text, OUT stamp text, OUT unchanged boolean, OUT viewer json) IS 'The stamp of what a table holds for the calling statement, and what chooses the rows that its caller sees.';

CREATE FUNCTION portolan.tables_beneath(view oid) RETURNS TABLE(relation regclass)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive beneath (oid) as (
    select tables_beneath.view
    union
    select d.refobjid
    from beneath b
      join pg_rewrite r on r.ev_class = b.oid
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
  )
  select c.oid::regclass from beneath b join pg_class c on c.oid = b.oid where c.relkind in ('r', 'p', 'f')
$$;

COMMENT ON FUNCTION portolan.tables_beneath(view oid) IS 'The tables that a view reads, itself or through other views.';

CREATE FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_term bigint;
  v_identity text := format('%s %s %s',
    (select c.system_identifier from pg_control_system() c),
    (select d.oid from pg_database d where d.datname = current_database()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8));
begin
  update portolan.event_reader r
  set term = r.term + 1, pid = pg_backend_pid(), started = backend_started
  where r.term = seen_term
  returning r.term into v_term;
  if not found then
    return null;
  end if;
  if exists (select from portolan.event_reader r where r.identity is distinct from v_identity) then
    delete from portolan.outbox;
    delete from portolan.batches;
    delete from portolan.shapes;
    insert into portolan.batches (n, snapshot, last, events, total, relations)
    values (0, pg_current_snapshot(), 0, 0, 0, '{}');
    update portolan.event_reader r
    set identity = v_identity, epoch = encode(substring(uuid_send(gen_random_uuid()) for 5), 'hex');
    perform portolan.note_shape(m.member)
    from portolan.event_tables t, unnest(t.members) m (member);
  end if;
  return v_term;
end
$$;

COMMENT ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) IS 'Makes the calling process the reader of change events.';

CREATE FUNCTION portolan.team_rights() RETURNS TABLE(object text, kind text, name text, statements text[])
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with schemas as (
    select n.oid, n.nspname, n.nspowner, n.nspacl
    from pg_namespace n
    where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'portolan')
      and not exists (select from portolan.history_schemas h where h.name = n.nspname)
  ), objects as (
    select 'pg_namespace'::regclass as catalogue, s.oid, format('schema %I', s.nspname) as object, s.nspowner as owner,
      s.nspacl as acl, coalesce(i.initprivs, acldefault('n', s.nspowner)) as usual, null::text as columns
    from schemas s
      -- schema public is open to everybody where a database is new
      left join pg_init_privs i on i.classoid = 'pg_namespace'::regclass and i.objoid = s.oid and i.privtype = 'i'
    union all
    select 'pg_class'::regclass, c.oid, format('%s %s', case c.relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass),
      c.relowner, c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner), null
    from pg_class c join schemas s on s.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'pg_class'::regclass, c.oid, format('table %s', c.oid::regclass), c.relowner, a.attacl, null,
      format(' (%I)', a.attname)
    from pg_class c join schemas s on s.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attacl is not null and not a.attisdropped
    union all
    select 'pg_proc'::regclass, p.oid, format('routine %s', p.oid::regprocedure), p.proowner, p.proacl,
      acldefault('f', p.proowner), null
    from pg_proc p join schemas s on s.oid = p.pronamespace
  ), grants as (
    select o.object, format('revoke %s%s on %s from public', u.privilege_type, o.columns, o.object) as statement
    from objects o cross join aclexplode(o.usual) u
    where o.acl is not null and u.grantee = 0 and not exists (
      select from aclexplode(o.acl) a where a.grantee = 0 and a.privilege_type = u.privilege_type)
      and not exists (select from pg_depend d where d.classid = o.catalogue and d.objid = o.oid and d.deptype = 'e')
    union all
    select o.object, format('grant %s%s on %s to %s%s', a.privilege_type, o.columns, o.object,
      portolan.role_sql(a.grantee), case when a.is_grantable then ' with grant option' end)
    from objects o cross join aclexplode(o.acl) a
    where a.grantee <> o.owner and portolan.role_sql(a.grantee) <> quote_ident(portolan.role_name('owner'))
      and not exists (
        select from aclexplode(o.usual) u where u.grantee = a.grantee and u.privilege_type = a.privilege_type)
      and not exists (select from pg_depend d where d.classid = o.catalogue and d.objid = o.oid and d.deptype = 'e')
  )
  select g.object, 'grants', '', array_agg(g.statement order by g.statement desc)
  from grants g
  group by g.object
  union all
  select coalesce(n.nspname, ''), 'defaults', format('%s %s', portolan.role_sql(d.defaclrole), d.defaclobjtype),
    array_agg(format('alter default privileges for role %s%s grant %s on %s to %s%s', portolan.role_sql(d.defaclrole),
      ' in schema ' || quote_ident(n.nspname), a.privilege_type,
      case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'routines' when 'T' then 'types'
        else 'schemas' end,
      portolan.role_sql(a.grantee), case when a.is_grantable then ' with grant option' end) order by a.grantee, a.privilege_type)
  from pg_default_acl d
    left join pg_namespace n on n.oid = d.defaclnamespace
    cross join aclexplode(d.defaclacl) a
  where a.grantee <> d.defaclrole
  group by n.nspname, d.defaclrole, d.defaclobjtype
  union all
  select p.polrelid::regclass::text, 'policy', p.polname, array[format('create policy %I on %s as %s for %s to %s%s%s',
    p.polname, p.polrelid::regclass, case when p.polpermissive then 'permissive' else 'restrictive' end,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    (select string_agg(portolan.role_sql(r.role), ', ') from unnest(p.polroles) r (role)),
    ' using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
    ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')]
  from pg_policy p
    join pg_class c on c.oid = p.polrelid
    join schemas s on s.oid = c.relnamespace
  where p.polroles <> '{0}'
$$;

COMMENT ON FUNCTION portolan.team_rights() IS 'Grants, default privileges and policies of the team that name roles.';

CREATE FUNCTION portolan.tg__audit_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_old jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_new jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  v_subject jsonb := coalesce(v_new, v_old);
  v_changed jsonb;
  v_secrets constant text[] := '{password,secret_hash,token_version,own_login_version}';
  v_before jsonb;
  v_after jsonb;
begin
  if tg_op = 'UPDATE' then
    select coalesce(jsonb_agg(n.key order by n.key), '[]') into v_changed
    from jsonb_each(v_new) n
    where n.value is distinct from v_old -> n.key
      and n.key not in ('token_version', 'own_login_version')
      -- the same password under another hash
      and (n.key <> 'password' or v_new -> 'token_version' is distinct from v_old -> 'token_version');
    if v_changed = '[]' then
      return null;
    end if;
  end if;
  select jsonb_object_agg(k.key, v_old -> k.key), jsonb_object_agg(k.key, v_new -> k.key)
  into v_before, v_after
  from jsonb_object_keys(v_subject) k (key)
  where k.key <> all (v_secrets) and v_old -> k.key is distinct from v_new -> k.key;
  insert into portolan.audit (event, account, client_id, address, details)
  values (
    tg_argv[0] || case tg_op when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.removed' end,
    case tg_argv[0] when 'user' then v_subject ->> 'name' end,
    case tg_argv[0] when 'client' then v_subject ->> 'id' end,
    nullif(current_setting('portolan.ip', true), ''),
    jsonb_strip_nulls(jsonb_build_object(
      'rule', case tg_argv[0] when 'rule' then v_subject -> 'id' end,
      'by', case
        when exists (select from portolan.logins l where l.role = session_user and l.kind = 'gateway')
          then coalesce(nullif(current_setting('portolan.user', true), ''), session_user)
        else session_user
      end,
      'changed', v_changed))
      || case
        when v_before is null and v_after is null then '{}' -- a secret alone
        else jsonb_build_object(
          'before', case when tg_op <> 'INSERT' then v_before end, 'after', case when tg_op <> 'DELETE' then v_after end)
      end);
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg__audit_change() IS 'Notes in the audit that an account or client was changed.';

CREATE FUNCTION portolan.tg__audit_setting() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
    nullif(current_setting('portolan.ip', true), ''),
    (select jsonb_object_agg(n.name, coalesce(v_new, v_old) -> n.name) from unnest(v_named) n (name))
      || jsonb_build_object(
        'by', portolan.actor(),
        'before', case when tg_op = 'INSERT' then 'null' else v_before end,
        'after', case when tg_op = 'DELETE' then 'null' else v_after end));
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg__audit_setting() IS 'Notes in the audit that a setting was changed, from what to what.';

CREATE FUNCTION portolan.tg__bump_generation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update portolan.generations g set generation = g.generation + 1 where g.subject = tg_argv[0];
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg__bump_generation() IS 'Tells every gateway process that its cache of a subject is void.';

CREATE FUNCTION portolan.tg__follow_ddl() RETURNS event_trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '2s'
    AS $$
declare
  v_problem text;
begin
  -- DDL of our own, which is being followed already; the lock tells that nobody else has set this
  if current_setting('portolan.following', true) = 'on' and exists (
    select from pg_locks l
    where l.pid = pg_backend_pid()
      and l.relation in ('portolan.migrations'::regclass, 'portolan.rules'::regclass)
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'AccessExclusiveLock'))
  then
    return;
  end if;
  if tg_tag like 'CREATE TABLE%' and not exists (
    select from pg_event_trigger_ddl_commands() d
    where d.schema_name is null or d.schema_name not in ('pg_temp', 'portolan'))
  then
    return;
  end if;
  lock table portolan.rules in share mode; -- a rule that is being written must not miss this table, nor we that rule
  if tg_tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO') then
    perform portolan.share_new(array(
      select d.objid from pg_event_trigger_ddl_commands() d where d.classid = 'pg_class'::regclass));
  end if;
  if tg_tag not in ('GRANT', 'REVOKE', 'DROP OWNED')
    and (exists (select from portolan.rules) or exists (select from portolan.row_security))
  then
    for v_problem in select c.problem from portolan.compile() c loop
      raise warning 'Portolan: %', v_problem;
    end loop;
  end if;
  if exists (select from portolan.versioned_tables v where v.active) then
    for v_problem in select h.problem from portolan.follow_history() h loop
      raise warning 'Portolan: %', v_problem;
    end loop;
  end if;
exception
  when others then
    raise warning 'Portolan could not follow %: %', tg_tag, sqlerrm;
end
$$;

COMMENT ON FUNCTION portolan.tg__follow_ddl() IS 'Follows DDL in the transaction that makes it.';

CREATE FUNCTION portolan.tg__refuse_denied() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if row_security_active(tg_relid)
    and portolan.rule(tg_relid, case tg_op when 'INSERT' then 'a' when 'UPDATE' then 'w' else 'd' end::"char") = -1
  then
    raise exception 'a rule denies % on %', lower(tg_op), tg_relid::regclass using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg__refuse_denied() IS 'Refuses a write that a rule denies.';

CREATE FUNCTION portolan.tg__workflow() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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
      raise exception 'a row is drafted, reviewed or published: 1, 2 or 3' using errcode = 'PX400';
    end if;
  end if;
  if v_level < v_had then
    raise exception '% takes the role %', case tg_op
        when 'INSERT' then 'insert of a row'
        else format('%s of a row that is %s', lower(tg_op), v_states[v_had])
      end, array_to_string(v_roles[v_had:3], ' or ')
      using errcode = 'insufficient_privilege', schema = tg_table_schema, table = tg_table_name;
  elsif v_level < v_to then
    raise exception 'a row becomes % by the role %', v_states[v_to], array_to_string(v_roles[v_to:3], ' or ')
      using errcode = 'insufficient_privilege', schema = tg_table_schema, table = tg_table_name;
  elsif tg_op = 'DELETE' then
    return old;
  end if;
  new.portolan_status := v_to;
  new.portolan_workflow := case when tg_op = 'INSERT' then '{}' else coalesce(old.portolan_workflow, '{}') end;
  -- a draft stays its author's, whoever sent it back
  if v_to > 1 or not new.portolan_workflow ? 'author' then
    new.portolan_workflow := new.portolan_workflow
      || jsonb_build_object(v_roles[v_to], coalesce((select m.name from portolan.me m), current_user));
  end if;
  return new;
end
$$;

COMMENT ON FUNCTION portolan.tg__workflow() IS 'Holds each row that is written to the workflow of its table.';

CREATE FUNCTION portolan.tg_clients__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_uri text;
begin
  new.name := coalesce(new.name, new.id);
  new.redirect_uri := coalesce(new.redirect_uri, '{}');
  foreach v_uri in array new.redirect_uri loop
    if not portolan.is_redirect_uri(v_uri) then
      raise exception 'the redirect URI "%" must be https, or http on 127.0.0.1, [::1] or localhost, without user-info, fragment and dot segments', v_uri
        using errcode = 'PX400';
    end if;
  end loop;
  if cardinality(new.redirect_uri) > 100 then
    raise exception 'a client has at most 100 redirect URIs' using errcode = 'PX400';
  end if;
  if not new.grants <@ array['authorization_code', 'refresh_token', 'device_code', 'password', 'client_credentials'] then
    raise exception 'a grant is authorization_code, refresh_token, device_code, password or client_credentials'
      using errcode = 'PX400';
  end if;
  if new.public and 'client_credentials' = any (new.grants) then
    raise exception 'a public client has no secret, which the grant client_credentials is for' using errcode = 'PX400';
  end if;
  if new.account is not null then
    new.account := portolan.account_name(new.account);
    if new.account = 'anonymous' or not exists (select from portolan.users u where u.name = new.account) then
      raise exception 'there is no account "%" that a client could act as', new.account using errcode = 'PX400';
    end if;
  end if;
  if new.public then
    new.secret_hash := null;
  end if;
  return new;
end
$$;

COMMENT ON FUNCTION portolan.tg_clients__check() IS 'Keeps a client true, whoever writes the row.';

CREATE FUNCTION portolan.tg_methods__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_super boolean := portolan.is_super_user();
  -- what others see alike whatever it says: text for people, and what the gateway and foreign keys write
  v_harmless constant text[] := '{description,published,owner,input_schema,output_schema,relations,relations_stamp}';
begin
  if (tg_op = 'INSERT' or new.srs is distinct from old.srs) and not portolan.has_reference_system(new.srs) then
    raise exception 'srs: there is no reference system % (method "%")', new.srs, new.method using errcode = 'PX400';
  end if;
  if tg_op = 'INSERT' then
    new.owner := coalesce(new.owner, (select m.name from portolan.me m));
    if new.owner is null then
      new.published := true; -- the operator's own
    end if;
    if new.published and not v_super then
      raise exception 'only a super user publishes a method' using errcode = 'PX403';
    end if;
    return new;
  end if;
  if new.q is distinct from old.q or new.type_hints is distinct from old.type_hints then
    new.input_schema := null;
    new.output_schema := null;
    new.relations := null;
    new.relations_stamp := null;
  end if;
  if not v_super then
    if new.published and not old.published then
      raise exception 'only a super user publishes a method' using errcode = 'PX403';
    end if;
    if to_jsonb(new) - v_harmless <> to_jsonb(old) - v_harmless then
      new.published := false;
    end if;
  end if;
  return new;
end
$$;

COMMENT ON FUNCTION portolan.tg_methods__check() IS 'Keeps stored methods true whoever writes them.';

CREATE FUNCTION portolan.tg_methods__refuse_own_sql() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if exists (select from portolan.me m where m.service = 'sql' and not m.superuser) then
    raise exception 'methods are defined over REST: /api/v4/methods' using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg_methods__refuse_own_sql() IS 'Keeps SQL that an account wrote from writing methods.';

CREATE FUNCTION portolan.tg_rules__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_relation regclass;
  v_kind "char";
  v_renamed boolean := tg_op = 'INSERT'; -- a rule whose table is gone by now can still be changed
begin
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'the number of a rule does not change' using errcode = 'PX400';
  end if;
  if tg_op = 'UPDATE' then
    v_renamed := (new.username, new.schema, new."table") is distinct from (old.username, old.schema, old."table");
  end if;
  new.username := lower(new.username);
  if new.username !~ '^[a-z0-9_*?-]{1,100}$' then
    raise exception 'username is the name of an account or group, or a glob of such: a-z, 0-9, _, -, * and ?'
      using errcode = 'PX400';
  elsif exists (select from portolan.users u where u.name = new.username and u.superuser) then
    raise exception 'rules do not bind super users, and "%" is one', new.username using errcode = 'PX400';
  end if;
  if new.schema = '' or new."table" = '' or length(new.schema) > 200 or length(new."table") > 200 then
    raise exception 'schema and table are names or globs' using errcode = 'PX400';
  end if;
  if new.iprange <> '*' then
    begin
      new.iprange := network(new.iprange::inet)::text;
    exception
      when others then
        raise exception 'iprange is *, an address or a network such as 10.0.0.0/8' using errcode = 'PX400';
    end;
  end if;
  if new.schema ~ '^pg_' or new.schema in ('information_schema', 'portolan') then
    raise exception 'rules are for tables of yours, not for schema %', new.schema using errcode = 'PX400';
  end if;

  select c.oid, c.relkind into v_relation, v_kind
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = new.schema and c.relname = new."table";
  perform portolan.refuse_rule_for(v_relation, v_kind);
  if (select c.relispartition from pg_class c where c.oid = v_relation) then
    raise exception '% is a partition, whose rows are read through % too: write the rule for that',
      v_relation, pg_partition_root(v_relation) using errcode = 'PX400';
  elsif exists (select from pg_inherits i where i.inhrelid = v_relation) then
    raise exception '% is a child by INHERITS, whose rows are read through % too: write the rule for that', v_relation,
      (select string_agg(i.inhparent::regclass::text, ' and ') from pg_inherits i where i.inhrelid = v_relation)
      using errcode = 'PX400';
  elsif v_relation is not null and not portolan.is_team_relation(v_relation) then
    raise exception 'rules are for tables of yours, and % is not one', v_relation using errcode = 'PX400';
  elsif v_renamed and v_relation is null then
    perform portolan.check_rule_names(new.username, new.schema, new."table");
  elsif v_renamed then
    perform portolan.check_rule_names(new.username, '*', '*');
  end if;
  return new;
end
$_$;

COMMENT ON FUNCTION portolan.tg_rules__check() IS 'Keeps a rule true, whoever writes the row.';

CREATE FUNCTION portolan.tg_rules__compile() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_written integer[] := '{}';
begin
  perform portolan.one_at_a_time();
  if tg_op in ('INSERT', 'UPDATE') then
    v_written := array(select r.id from new_rows r);
  end if;
  perform portolan.compile(v_written);
  perform portolan.follow_history();
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg_rules__compile() IS 'Compiles the rules after they were written.';

CREATE FUNCTION portolan.transform_bounds(bounds double precision[], from_srid integer, to_srid integer) RETURNS double precision[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_result float8[];
begin
  execute format(
    $sql$
    select array[%1$I.st_xmin(b), %1$I.st_ymin(b), %1$I.st_xmax(b), %1$I.st_ymax(b)]
    from portolan.try_transform(%1$I.st_segmentize(
      %1$I.st_makeenvelope($1[1], $1[2], $1[3], $1[4], $2),
      nullif(greatest($1[3] - $1[1], $1[4] - $1[2]), 0) / 32), $3, %1$L) as b
    where b is not null
    $sql$, portolan.postgis_schema())
  into v_result using bounds, from_srid, to_srid;
  return v_result;
end
$_$;

COMMENT ON FUNCTION portolan.transform_bounds(bounds double precision[], from_srid integer, to_srid integer) IS 'The rectangle around another one in another coordinate reference system.';

CREATE FUNCTION portolan.try_intersects(geometry anyelement, other anyelement, postgis text) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_result boolean;
begin
  execute format('select %1$I.st_intersects($1, $2)', postgis) into v_result using geometry, other;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    execute format('select $1 operator(%1$I.&&) $2', postgis) into v_result using geometry, other;
    return v_result;
end
$_$;

COMMENT ON FUNCTION portolan.try_intersects(geometry anyelement, other anyelement, postgis text) IS 'Whether two geometries share a point; where that cannot be told, whether their boxes do.';

CREATE FUNCTION portolan.try_transform(geometry anyelement, srid integer, postgis text) RETURNS anyelement
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_result geometry%type;
begin
  execute format('select %1$I.st_transform($1, $2)', postgis) into v_result using geometry, srid;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    return null;
end
$_$;

COMMENT ON FUNCTION portolan.try_transform(geometry anyelement, srid integer, postgis text) IS 'A geometry in another coordinate reference system, or NULL where that cannot be done.';

CREATE FUNCTION portolan.type_catalogue(types oid[]) RETURNS TABLE(oid oid, schema text, name text, kind text, element oid, labels text[], attributes jsonb, delimiter text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive wanted (oid) as (
    select unnest(types)
    union
    select p.part
    from wanted w
      join pg_type t on t.oid = w.oid
      cross join lateral (
        select t.typelem as part where t.typcategory = 'A' and t.typelem <> 0 and t.typarray = 0
        union all
        select t.typbasetype where t.typtype = 'd'
        union all
        select r.rngsubtype from pg_range r where r.rngtypid = t.oid
        union all
        select r.rngtypid from pg_range r where r.rngmultitypid = t.oid
        union all
        select a.atttypid from pg_attribute a
        where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      ) p
  )
  select
    t.oid, n.nspname::text, t.typname::text,
    case when t.typcategory = 'A' and t.typelem <> 0 and t.typarray = 0 then 'a' else t.typtype::text end,
    case
      when t.typcategory = 'A' and t.typelem <> 0 and t.typarray = 0 then t.typelem
      when t.typtype = 'd' then t.typbasetype
      when t.typtype = 'r' then (select r.rngsubtype from pg_range r where r.rngtypid = t.oid)
      when t.typtype = 'm' then (select r.rngtypid from pg_range r where r.rngmultitypid = t.oid)
    end,
    case when t.typtype = 'e' then
      array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) end,
    case when t.typtype = 'c' then (
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', a.atttypid::bigint) order by a.attnum)
      from pg_attribute a
      where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) end,
    t.typdelim::text
  from wanted w join pg_type t on t.oid = w.oid join pg_namespace n on n.oid = t.typnamespace
$$;

COMMENT ON FUNCTION portolan.type_catalogue(types oid[]) IS 'What must be known of types to read and write their values.';

CREATE FUNCTION portolan.type_ddl(change jsonb, schema_name text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_name text := coalesce(change ->> 'type', change ->> 'name');
  v_type text := format('%s.%s', portolan.identifier(schema_name), portolan.identifier(v_name));
  v_add jsonb := change -> 'add';
  v_rename jsonb := change -> 'rename';
begin
  if change ->> 'op' = 'create_type' then
    return format(E'create type %s as enum (%s);\nalter type %1$s owner to %3$I;', v_type, (
      select string_agg(quote_literal(v.label), ', ' order by v.place)
      from jsonb_array_elements_text(change -> 'values') with ordinality v (label, place)), portolan.role_name('owner'));
  elsif not exists (
    select from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typtype = 'e' and n.nspname = schema_name and t.typname = v_name)
  then
    return portolan.nothing_of('enum', v_name, schema_name);
  elsif change ->> 'op' = 'drop_type' then
    return format('drop type %s;', v_type);
  end if;
  return nullif(concat_ws(
    E'\n',
    case when v_add ? 'value' then
      format('alter type %s add value %L', v_type, v_add ->> 'value')
        || case when v_add ? 'before' then format(' before %L', v_add ->> 'before')
          when v_add ? 'after' then format(' after %L', v_add ->> 'after') else '' end || ';' end,
    case when v_rename ? 'value' then
      format('alter type %s rename value %L to %L;', v_type, v_rename ->> 'value', v_rename ->> 'to') end,
    case when change ? 'name' then format('alter type %s rename to %s;', v_type, portolan.identifier(change ->> 'name')) end), '');
end
$_$;

COMMENT ON FUNCTION portolan.type_ddl(change jsonb, schema_name text) IS 'SQL that makes, alters or drops an enum.';

CREATE FUNCTION portolan.unprotected_relations() RETURNS TABLE(relation regclass, changed boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select t.relation, d.changed
  from (
      select m.relation from portolan.rule_map m
      union
      select s.relation from portolan.row_security s
      union
      select m.oid::regclass from portolan.workflow_tables w, unnest(portolan.event_members(w.relation)) m (oid)
    ) t
    join pg_class c on c.oid = t.relation
    left join portolan.row_security s on s.relation = t.relation,
    lateral (
      select portolan.wanted_protection(t.relation) <> coalesce(s.wanted, '')
        or coalesce(s.made <> portolan.made_protection(t.relation), false) as changed
      offset 0
    ) d
  where d.changed or s.problem is not null
  order by t.relation::oid
$$;

COMMENT ON FUNCTION portolan.unprotected_relations() IS 'The tables whose policies are not what rules and workflow want.';

CREATE FUNCTION portolan.update_client(id text, changes jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_client portolan.clients := portolan.existing_client(id);
  v_unknown text;
begin
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in (
    'name', 'redirect_uri', 'homepage', 'description', 'public', 'confirm', 'grants', 'refresh_reuse', 'account',
    'access_token_lifetime_seconds', 'refresh_token_lifetime_seconds', 'code_lifetime_seconds',
    'device_code_lifetime_seconds', 'device_poll_interval_seconds');
  if v_unknown is not null then
    raise exception 'a client has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  v_client := jsonb_populate_record(v_client, changes);
  -- one that waits for another account may be changed otherwise
  if 'client_credentials' = any (v_client.grants) and v_client.account is null and changes ?| '{grants,account}' then
    raise exception 'the grant client_credentials needs the account that the client acts as' using errcode = 'PX400';
  end if;
  update portolan.clients c
  set
    name = v_client.name,
    redirect_uri = v_client.redirect_uri,
    homepage = v_client.homepage,
    description = v_client.description,
    public = v_client.public,
    confirm = v_client.confirm,
    grants = v_client.grants,
    refresh_reuse = v_client.refresh_reuse,
    account = v_client.account,
    access_token_lifetime_seconds = v_client.access_token_lifetime_seconds,
    refresh_token_lifetime_seconds = v_client.refresh_token_lifetime_seconds,
    code_lifetime_seconds = v_client.code_lifetime_seconds,
    device_code_lifetime_seconds = v_client.device_code_lifetime_seconds,
    device_poll_interval_seconds = v_client.device_poll_interval_seconds
  where c.id = v_client.id;
end
$$;

COMMENT ON FUNCTION portolan.update_client(id text, changes jsonb) IS 'Changes members of an OAuth client; what is not named stays.';

CREATE FUNCTION portolan.update_method(method text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_method portolan.methods;
begin
  select m.* into v_method from portolan.methods m where m.method = update_method.method;
  if not found then
    raise exception 'there is no method "%"', method using errcode = 'PX404';
  end if;
  v_method := jsonb_populate_record(v_method, changes);
  update portolan.methods m
  set
    q = v_method.q,
    type_hints = v_method.type_hints,
    type_formats = v_method.type_formats,
    output_format = coalesce(v_method.output_format, 'json'),
    srs = coalesce(v_method.srs, 4326),
    description = v_method.description,
    timeout_ms = v_method.timeout_ms,
    max_rows = v_method.max_rows,
    cache_seconds = v_method.cache_seconds,
    published = v_method.published
  where m.method = update_method.method;
  if not found then
    raise exception 'the method "%" is somebody else''s', method using errcode = 'PX403';
  end if;
end
$$;

COMMENT ON FUNCTION portolan.update_method(method text, changes jsonb) IS 'Changes members of a stored method; what is not named stays.';

CREATE FUNCTION portolan.update_raster(schema_name text, table_name text, file text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass := portolan.existing_raster(schema_name, table_name);
begin
  perform portolan.check_raster_file(file);
  execute format('update %s set file = %L', v_relation, file);
  update portolan.rasters r set file = update_raster.file where r.relation = v_relation;
end
$$;

COMMENT ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) IS 'Gives a raster another file.';

CREATE FUNCTION portolan.update_rule(id integer, changes jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_rule portolan.rules;
begin
  perform portolan.one_at_a_time();
  select r.* into v_rule from portolan.rules r where r.id = update_rule.id;
  if not found then
    raise exception 'there is no rule %', id using errcode = 'PX404';
  end if;
  v_rule := portolan.rule_record(changes, to_jsonb(v_rule));
  update portolan.rules r
  set
    id = v_rule.id,
    priority = v_rule.priority,
    username = v_rule.username,
    service = v_rule.service,
    request = v_rule.request,
    schema = v_rule.schema,
    "table" = v_rule."table",
    iprange = v_rule.iprange,
    access = v_rule.access,
    filter = v_rule.filter
  where r.id = update_rule.id;
end
$$;

COMMENT ON FUNCTION portolan.update_rule(id integer, changes jsonb) IS 'Changes the members of a rule that are given.';

CREATE FUNCTION portolan.update_user(name text, changes jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_before portolan.users;
  v_after portolan.users;
  v_unknown text;
begin
  perform portolan.one_at_a_time();
  v_before := portolan.existing_account(name);
  select string_agg(format('"%s"', c.key), ', ') into v_unknown
  from jsonb_object_keys(changes) c (key)
  where c.key not in ('password', 'email', 'user_group', 'properties', 'superuser');
  if v_unknown is not null then
    raise exception 'an account has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  v_after := jsonb_populate_record(v_before, changes - 'password');
  v_after.user_group := lower(v_after.user_group);
  v_after.properties := coalesce(v_after.properties, '{}');
  v_after.superuser := coalesce(v_after.superuser, false);
  if jsonb_typeof(v_after.properties) <> 'object' then
    raise exception 'properties must be a JSON object' using errcode = 'PX400';
  end if;
  if (v_after.superuser, v_after.user_group) is distinct from (v_before.superuser, v_before.user_group) then
    perform portolan.move_roles(v_before, v_after);
  end if;
  update portolan.users u
  set
    email = v_after.email,
    user_group = v_after.user_group,
    properties = v_after.properties,
    superuser = v_after.superuser
  where u.name = v_before.name;
  if changes ? 'password' then
    perform portolan.set_password(v_before.name, changes ->> 'password');
  end if;
end
$$;

COMMENT ON FUNCTION portolan.update_user(name text, changes jsonb) IS 'Changes password, email, user_group, properties or superuser of an account; what is not named stays.';

CREATE FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) RETURNS TABLE(outcome text, user_name text, scope text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
  v_code portolan.authorization_codes;
  v_outcome text;
begin
  select c.* into v_code from portolan.authorization_codes c where c.hash = use_code.hash for update;
  v_outcome := case
    when not found then 'unknown'
    when v_code.client_id <> use_code.client_id then 'other_client'
    when v_code.family is not null then 'replayed'
    when v_code.expires_at <= clock_timestamp() then 'expired'
    when v_code.redirect_uri <> use_code.redirect_uri then 'redirect_uri'
    when v_code.code_challenge <> use_code.code_challenge then 'code_verifier'
    when not exists (
      select from portolan.users u where u.name = v_code.user_name and u.token_version = v_code.token_version
    ) then 'account'
    else 'granted'
  end;
  if v_outcome = 'replayed' then
    perform portolan.revoke_family(v_code.family, v_code.client_id);
  elsif v_outcome = 'granted' then
    perform portolan.start_family(
      use_code.family, refresh, v_code.client_id, v_code.user_name, v_code.scope, v_code.token_version,
      access_seconds, refresh_seconds);
    update portolan.authorization_codes c set family = use_code.family where c.hash = v_code.hash;
  end if;
  return query select v_outcome, v_code.user_name, v_code.scope;
end
$$;

COMMENT ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) IS 'Exchanges an authorization code, once.';

CREATE FUNCTION portolan.version_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_member regclass;
  v_fresh boolean;
begin
  rows := 0;
  select v.* into v_table from portolan.versioned_tables v where v.relation = version_portion.relation;
  if v_table.active and not v_table.filling then
    return; -- somebody did not want to wait
  elsif "position" ->> 'phase' = 'fill' and v_table.filling then
    if v_table.seen <> portolan.history_stamp(relation, v_table.history) then
      perform portolan.one_at_a_time();
      perform portolan.refresh_mirror(relation); -- DDL since the last portion
      select v.* into v_table from portolan.versioned_tables v where v.relation = version_portion.relation;
    end if;
    select m into v_member
    from unnest(v_table.members) m join pg_class c on c.oid = m and c.relkind = 'r'
    where not "position" -> 'filled' ? m::text
    order by m
    limit 1;
    if v_member is not null then
      select p.next, p.rows into next, rows from portolan.copy_portion(relation, v_member, v_table.history, "position") p;
      return;
    end if;
  end if;

  perform portolan.one_at_a_time();
  perform portolan.check_versioning(relation);
  perform set_config('portolan.following', 'on', true);
  if v_table.filling and "position" ->> 'phase' = 'fill' then
    if not v_table.members @> array(select m::oid from jsonb_object_keys("position" -> 'files') m) then
      execute format('lock table %s in share row exclusive mode', relation);
      perform portolan.end_lost_versions(relation, v_table.history); -- of a partition that left with its rows
    end if;
    update portolan.versioned_tables v
    set filling = false, since = case when "position" ->> 'fresh' is not null then clock_timestamp() else v.since end
    where v.relation = version_portion.relation;
    perform portolan.install_history(relation); -- the triggers need not look for what was not copied any more
  elsif "position" ->> 'phase' = 'begin' then
    execute format('select not exists (select from %s)', v_table.history) into v_fresh;
    update portolan.versioned_tables v set filling = true where v.relation = version_portion.relation;
    perform portolan.install_history(relation);
    next := jsonb_build_object(
      'phase', 'fill', 'filled', '[]'::jsonb, 'blocks', 32,
      'fresh', case when v_fresh then portolan.database_identity() end,
      -- the triggers are there now: what has a lower number was written before, or by who began before
      'xid', pg_snapshot_xmax(pg_current_snapshot())::xid::text,
      'files', (
        select jsonb_object_agg(m, coalesce(pg_relation_filenode(m), 0)::text)
        from portolan.versioned_tables v, unnest(v.members) m where v.relation = version_portion.relation));
  else
    insert into portolan.versioned_tables (relation, active) values (relation, false) on conflict do nothing;
    perform portolan.prepare_history(relation);
    next := '{"phase": "begin"}';
  end if;
  perform set_config('portolan.following', '', true);
end
$$;

COMMENT ON FUNCTION portolan.version_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) IS 'Begins the history of a large table, in portions.';

CREATE FUNCTION portolan.versioned_relations() RETURNS TABLE(schema text, name text, source text, since timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select n.nspname::text, c.relname::text, format('%I.%I', h.nspname, 'as_of_' || t.relname), v.since
  from portolan.versioned_tables v
    join pg_class c on c.oid = v.relation
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class t on t.oid = v.history
    join pg_namespace h on h.oid = t.relnamespace
  where v.active and not v.filling
$$;

COMMENT ON FUNCTION portolan.versioned_relations() IS 'The tables that have history, and what to read it from.';

CREATE FUNCTION portolan.versioned_since(relation regclass) RETURNS timestamp with time zone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select v.since from portolan.versioned_tables v where v.relation = versioned_since.relation and v.active and not v.filling
$$;

COMMENT ON FUNCTION portolan.versioned_since(relation regclass) IS 'Since when the history of a table is kept; null where none is.';

CREATE FUNCTION portolan.visible_relation(schema_name text, table_name text) RETURNS regclass
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass;
begin
  select c.oid::regclass into v_relation
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = schema_name and c.relname = table_name and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and has_schema_privilege(n.oid, 'usage')
    and has_any_column_privilege(c.oid, 'select, insert, update, references');
  if not found then
    raise exception 'there is no table or view "%" in schema "%"', table_name, schema_name using errcode = 'PX404';
  end if;
  perform portolan.check_access(array[format('%I.%I', schema_name, table_name)], 'select');
  return v_relation;
end
$$;

COMMENT ON FUNCTION portolan.visible_relation(schema_name text, table_name text) IS 'The table or view of these names, for whoever has a right to it.';

CREATE FUNCTION portolan.waiting() RETURNS TABLE(schema text, "table" text, role text, drafted bigint, reviewed bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
  v_relation record;
begin
  for v_relation in
    select c.oid::regclass as name, n.nspname, c.relname,
      ('{author,reviewer,publisher}'::text[])[portolan.workflow_level(c.oid, true)] as role
    from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace
    where t.tgname = '_700_workflow' and t.tgparentid = 0
      and has_schema_privilege(n.oid, 'usage')
      and has_column_privilege(c.oid, 'portolan_status', 'select')
    order by n.nspname, c.relname
  loop
    continue when v_relation.role is null;
    execute format(
      'select count(*) filter (where t.portolan_status = 1), count(*) filter (where t.portolan_status = 2) '
      'from %s t where t.portolan_status < 3', v_relation.name)
    into drafted, reviewed;
    schema := v_relation.nspname;
    "table" := v_relation.relname;
    role := v_relation.role;
    return next;
  end loop;
end
$$;

COMMENT ON FUNCTION portolan.waiting() IS 'Tables in whose workflow the caller is anything, and how many rows that it sees are drafted and reviewed.';

CREATE FUNCTION portolan.waiting_rows(relation regclass, wanted text DEFAULT NULL::text, most integer DEFAULT 100, skipped bigint DEFAULT 0) RETURNS TABLE(key text, state text, author text, reviewer text, publisher text, version text, published jsonb, record jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
  v_history regclass := case when portolan.versioned_since(relation) is not null then portolan.history_of(relation) end;
begin
  if not portolan.has_workflow(relation) then
    raise exception '% has no workflow', relation using errcode = 'PX400';
  end if;
  return query execute format(
    $sql$
    select %1$s, ('{drafted,reviewed}'::text[])[t.portolan_status], t.portolan_workflow ->> 'author',
      t.portolan_workflow ->> 'reviewer', t.portolan_workflow ->> 'publisher', md5(n.record::text),
      %2$s - array['portolan_status', 'portolan_workflow'], n.record - array['portolan_status', 'portolan_workflow']
    from %3$s t cross join lateral (select %4$s as record) n
    where t.portolan_status < 3 and ($1 is null or t.portolan_status = array_position('{drafted,reviewed}', $1))
    order by %5$s
    limit $2 offset $3
    $sql$,
    portolan.key_text(relation, 't'),
    case when v_history is null then 'null::jsonb' else format(
      '(select %s from %s h where %s and h.portolan_status = 3 and portolan.fresh_history(%L::regclass) '
      'order by h.portolan_from desc limit 1)',
      portolan.readable_record(relation, v_history, 'h'), v_history,
      (select string_agg(format('h.%1$I = t.%1$I', k), ' and ') from unnest(portolan.key_columns(relation)) k), relation)
    end,
    relation,
    portolan.readable_record(relation, relation, 't'),
    (select string_agg(format('t.%I', k), ', ') from unnest(portolan.key_columns(relation)) k)
  ) using wanted, most, skipped;
end
$_$;

COMMENT ON FUNCTION portolan.waiting_rows(relation regclass, wanted text, most integer, skipped bigint) IS 'Rows of a table with workflow that are not published, with what they were when they were.';

CREATE FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  lsn := pg_current_wal_lsn();
  timeline := portolan.wal_timeline();
  if timeline is distinct from (select t.timeline from portolan.timeline t) then
    update portolan.timeline t set timeline = wal_position.timeline where t.timeline <> wal_position.timeline;
  end if;
end
$$;

COMMENT ON FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) IS 'The position of the write-ahead log on the primary, with its timeline.';

CREATE FUNCTION portolan.wal_timeline() RETURNS integer
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
$$;

COMMENT ON FUNCTION portolan.wal_timeline() IS 'The timeline that this server writes on.';

CREATE FUNCTION portolan.wanted_memberships() RETURNS TABLE(role text, member text, inherit boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select m.role, m.member, m.inherit
  from (
    select portolan.role_name('anonymous'), u.role, true
    from portolan.users u
    where u.role_made
    union all
    select g.role, u.role, true
    from portolan.users u join portolan.users g on g.name = u.user_group
    where u.role_made
    union all
    select portolan.role_name('owner'), u.role, true
    from portolan.users u
    where u.role_made and u.superuser
    union all
    select u.role, l.role, false
    from portolan.users u
      join portolan.logins l on l.kind = 'gateway' or not u.role_made
      join pg_roles r on r.rolname = l.role
    where not r.rolsuper
  ) m (role, member, inherit)
  where m.role <> m.member
    and to_regrole(quote_ident(m.role)) is not null and to_regrole(quote_ident(m.member)) is not null
$$;

COMMENT ON FUNCTION portolan.wanted_memberships() IS 'Which roles must be members of which.';

CREATE FUNCTION portolan.wanted_protection(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return (
    select coalesce(
      (
        select string_agg(p.part, E'\n' order by p.part)
        from (
          select m.command::text from portolan.rule_map m where m.relation = wanted_protection.relation
          union
          select format('%s %s %s', m.command, r.id, r.filter)
          from portolan.rule_map m join portolan.rules r on r.id = m.id
          where m.relation = wanted_protection.relation and m.access = 'l'
          union
          select 'workflow'
          where exists (
            select from portolan.workflow_tables w
            where w.relation = coalesce(pg_partition_root(wanted_protection.relation), wanted_protection.relation))
        ) p (part)),
      ''));
end
$$;

COMMENT ON FUNCTION portolan.wanted_protection(relation oid) IS 'A text that tells what the policies of a table must be.';

CREATE FUNCTION portolan.wanted_rights() RETURNS TABLE(catalogue oid, object oid, attnum integer, grantee oid, privilege text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with roles (audience, grantee) as (
    select 'public', 0::oid
    union all
    select 'owner', r.oid from pg_roles r where r.rolname = portolan.role_name('owner')
    union all
    select 'gateway', r.oid
    from portolan.logins l join pg_roles r on r.rolname = l.role
    where l.kind = 'gateway'
      and r.oid <> (select n.nspowner from pg_namespace n where n.oid = 'portolan'::regnamespace)
  ), relations (audience, privileges, relations, columns) as (
    values
      ('public', '{SELECT}'::text[], array[
        'me', 'method_generation', 'my_groups', 'my_rules', 'my_workflow', 'rule_generation', 'ruled_commands', 'visible_sessions',
        'visible_users'],
        null::name[]),
      ('public', '{SELECT, DELETE}', '{methods}', null),
      ('public', '{INSERT}', '{methods}', '{
        method, q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, published}'),
      ('public', '{UPDATE}', '{methods}', '{
        q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, published}'),
      ('gateway', '{SELECT}', '{
        users, logins, generations, migrations, code, clients, token_families, one_time_links, event_reader,
        event_tables, styles, rasters, history_schemas, jobs, timeline}', null),
      ('gateway', '{SELECT}', '{signing_keys}', '{kid, alg, public_jwk, created_at, retired_at}'),
      ('gateway', '{SELECT}', '{refresh_tokens}', '{id, rotated_at}'),
      ('gateway', '{INSERT}', '{authorization_codes, audit}', null),
      ('gateway', '{SELECT, INSERT, UPDATE}', '{device_requests, consents}', null),
      ('gateway', '{SELECT, INSERT, DELETE}', '{sessions}', null)
  ), routines (audience, name) as (
    select 'public', unnest('{
      access,
      base_tables,
      change_account,
      change_own_account,
      change_schema,
      check_access,
      check_read_access,
      class_bounds,
      classes,
      column_ddl,
      column_sql,
      column_type,
      constraint_sql,
      create_method,
      default_sql,
      diff,
      drop_method,
      encode_key,
      end_session,
      event_version,
      fresh_history,
      has_reference_system,
      has_workflow,
      hinted_type,
      history,
      history_of,
      identifier,
      identifiers,
      index_ddl,
      is_of_super_user,
      is_super_user,
      key_columns,
      key_condition,
      key_text,
      list_constraints,
      list_indices,
      list_methods,
      list_tables,
      list_types,
      list_users,
      local_metres,
      merge_patch,
      method_functions,
      move_rows,
      nothing_of,
      own_session,
      postgis_schema,
      prop,
      prop_list,
      readable_record,
      relations_stamp,
      request_context,
      restore,
      role_name,
      rule,
      style_column,
      table_ddl,
      table_stamp,
      table_state,
      transform_bounds,
      try_intersects,
      try_transform,
      type_ddl,
      update_method,
      versioned_since,
      visible_relation,
      waiting,
      waiting_rows,
      workflow_level,
      writer
    }'::name[])
    union all
    select 'owner', unnest('{
      apply_configuration,
      authentication_of,
      cancel_statement,
      change_job,
      configuration,
      configuration_changes,
      create_client,
      create_raster,
      create_rule,
      create_user,
      disable_events,
      disable_versioning,
      disable_workflow,
      drop_client,
      drop_raster,
      drop_rule,
      drop_user,
      enable_events,
      enable_versioning,
      enable_workflow,
      events_of,
      explain_access,
      fleet,
      invite_user,
      is_versioned,
      lift_lockout,
      list_audit,
      list_clients,
      list_jobs,
      list_rasters,
      list_requests,
      list_rules,
      list_statements,
      list_statistics,
      privileges_of,
      relation_of,
      rule_notes,
      set_authentication,
      set_client_secret,
      set_password,
      set_privilege,
      set_style,
      set_workflow,
      set_workflow_role,
      style_of,
      update_client,
      update_raster,
      update_rule,
      update_user,
      workflow_of
    }'::name[])
    union all
    select 'gateway', unnest('{
      access_findings,
      attempt,
      bind_own_session,
      catalogue,
      clear_events,
      clear_expired,
      collections,
      cut_batch,
      event_log,
      event_rights,
      event_shape,
      event_table,
      exposed_schemas,
      follow_console,
      follow_ddl,
      is_restored,
      note_gateway,
      note_method_types,
      note_requests,
      note_rights,
      note_schemas,
      open_doors,
      own_login,
      poll_device,
      read_batch,
      redeem_link,
      refusing_relations,
      rehash_password,
      release_lease,
      require_replayed,
      revoke_family,
      rights_to_mend,
      rotate_refresh_token,
      row_keys,
      runner_login,
      runner_role,
      secrets,
      set_asleep,
      share_with_owner,
      start_family,
      style_problem,
      sync_events,
      take_lease,
      type_catalogue,
      use_code,
      versioned_relations,
      wal_position,
      work_job,
      workflow_relations
    }'::name[])
  )
  select 'pg_namespace'::regclass::oid, 'portolan'::regnamespace::oid, 0, 0::oid, 'USAGE'
  union all
  select 'pg_class'::regclass, format('portolan.%I', x.relation)::regclass, coalesce(a.attnum, 0), o.grantee, p.privilege
  from relations r
    join roles o using (audience)
    cross join unnest(r.privileges) p (privilege)
    cross join unnest(r.relations) x (relation)
    left join unnest(r.columns) c (name) on true
    left join pg_attribute a on a.attrelid = format('portolan.%I', x.relation)::regclass and a.attname = c.name
  union all
  select 'pg_proc'::regclass, p.oid, 0, o.grantee, 'EXECUTE'
  from routines r
    join roles o using (audience)
    join pg_proc p on p.proname = r.name and p.pronamespace = 'portolan'::regnamespace
$$;

COMMENT ON FUNCTION portolan.wanted_rights() IS 'Every right on what belongs to Portolan that somebody else needs.';

CREATE TABLE portolan.rule_map (
    relation regclass NOT NULL,
    command "char" NOT NULL,
    priority integer NOT NULL,
    id integer NOT NULL,
    username text,
    service text,
    network cidr,
    access "char" NOT NULL
);

CREATE FUNCTION portolan.wanted_rules() RETURNS SETOF portolan.rule_map
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive patterns as materialized (
    select
      r.*,
      portolan.like_pattern(r.schema) as schemas,
      portolan.like_pattern(r."table") as tables,
      case when r.username <> '*' then portolan.like_pattern(r.username) end as users
    from portolan.rules r
  ), teams as materialized (
    select c.oid, c.relname, n.nspname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p')
      and n.nspname !~ '^pg_'
      and n.nspname not in ('information_schema', 'portolan')
      and n.nspname not in (select h.name from portolan.history_schemas h)
      and exists (select from portolan.rules)
  ), family (relation, ancestor) as (
    select t.oid, t.oid from teams t
    union
    select f.relation, i.inhparent from family f join pg_inherits i on i.inhrelid = f.ancestor
  )
  select distinct
    f.relation::regclass,
    k.command,
    r.priority,
    r.id,
    r.users,
    case r.service when '*' then null when 'rpc' then 'sql' else r.service end,
    case when r.iprange <> '*' then r.iprange::cidr end,
    left(r.access, 1)::"char"
  from family f
    join teams t on t.oid = f.ancestor
    join patterns r on t.nspname like r.schemas and t.relname like r.tables
    join (values ('r'::"char", 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) k (command, request)
      on r.request in ('*', k.request)
  where not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = f.relation and d.deptype = 'e')
$$;

COMMENT ON FUNCTION portolan.wanted_rules() IS 'Each rule for each table and command that it means.';

CREATE FUNCTION portolan.work_job(id bigint DEFAULT NULL::bigint) RETURNS TABLE(job bigint, kind text, relation text, state text, done bigint, total bigint, error text, pause_ms integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '50ms'
    AS $$
#variable_conflict use_variable
declare
  v_job portolan.jobs;
  v_next jsonb;
  v_rows bigint := 0;
  v_waited integer;
begin
  select j.* into v_job
  from portolan.jobs j
  where j.state in ('queued', 'running') and j.kind <> 'import' and (work_job.id is null or j.id = work_job.id)
  order by j.id
  limit 1
  for update skip locked;
  if not found then
    return;
  end if;
  v_waited := coalesce((v_job.position ->> 'waited_ms')::integer, 0);
  pause_ms := 0;
  begin
    if not exists (select from pg_class c where c.oid = v_job.relation) then
      raise exception 'the table is gone' using errcode = 'PX404';
    end if;
    case v_job.kind
      when 'versioning' then
        select p.next, p.rows into v_next, v_rows
        from portolan.version_portion(v_job.relation, v_job.position - 'waited_ms') p;
      when 'workflow' then
        perform portolan.make_workflow(v_job.relation);
      when 'events' then
        perform portolan.make_events(v_job.relation);
    end case;
    v_job.done := v_job.done + v_rows;
    v_job.position := coalesce(v_next, '{}');
    v_job.state := case when v_next is null then 'done' else 'running' end;
    v_job.total := case v_job.state when 'done' then v_job.done else greatest(v_job.total, v_job.done) end;
    v_job.error := null;
  exception
    when lock_not_available or deadlock_detected or serialization_failure then
      pause_ms := least(5000, greatest(50, v_waited / 2)); -- ever longer
      v_job.state := 'running';
      v_job.position := v_job.position || jsonb_build_object('waited_ms', v_waited + pause_ms);
      v_job.error := 'waits for a lock that somebody else holds';
      if (v_waited + pause_ms) * interval '1 ms' > v_job.lock_wait then
        v_job.state := 'failed';
        v_job.error := format('the lock on %s could not be had within %s', v_job.relation, v_job.lock_wait);
        pause_ms := 0;
      end if;
    when others then
      v_job.state := 'failed';
      v_job.error := sqlerrm;
  end;
  update portolan.jobs j
  set state = v_job.state, done = v_job.done, total = v_job.total, error = v_job.error, position = v_job.position,
    updated = clock_timestamp()
  where j.id = v_job.id;
  return query
    select v_job.id, v_job.kind, v_job.relation::text, v_job.state, v_job.done, v_job.total, v_job.error, pause_ms;
end
$$;

COMMENT ON FUNCTION portolan.work_job(id bigint) IS 'Works off the next portion of a job.';

CREATE FUNCTION portolan.workflow_level(relation regclass, writing boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_superuser boolean;
begin
  select m.superuser into v_superuser from portolan.me m;
  if not found then
    return case when writing then 3 else 0 end;
  elsif v_superuser then
    return 3;
  end if;
  return coalesce((select w.level from portolan.my_workflow w where w.relation = workflow_level.relation), 0);
end
$$;

COMMENT ON FUNCTION portolan.workflow_level(relation regclass, writing boolean) IS 'What the caller is in the workflow of a table: 0 reader, 1 author, 2 reviewer, 3 publisher.';

CREATE FUNCTION portolan.workflow_of(relation regclass) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select jsonb_build_object(
    'enabled', exists (select from portolan.workflow_tables w where w.relation = workflow_of.relation),
    'roles', coalesce((
      select jsonb_agg(
        jsonb_build_object('subuser', w.user_name, 'role', ('{author,reviewer,publisher}'::text[])[w.level])
        order by w.user_name)
      from portolan.workflow_roles w
      where w.relation = workflow_of.relation), '[]'))
$$;

COMMENT ON FUNCTION portolan.workflow_of(relation regclass) IS 'Whether a table has workflow, and the roles of accounts.';

CREATE FUNCTION portolan.workflow_relations() RETURNS TABLE(schema text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select n.nspname::text, c.relname::text
  from portolan.workflow_tables w
    join pg_class c on c.oid = w.relation
    join pg_namespace n on n.oid = c.relnamespace
$$;

COMMENT ON FUNCTION portolan.workflow_relations() IS 'The tables that have workflow.';

CREATE FUNCTION portolan.workflow_root(relation oid) RETURNS regclass
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select w.relation
  from portolan.workflow_tables w
  where w.relation = coalesce(pg_partition_root(workflow_root.relation), workflow_root.relation)
$$;

COMMENT ON FUNCTION portolan.workflow_root(relation oid) IS 'The table whose workflow a table or partition has.';

CREATE FUNCTION portolan.writer(noted text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case
      when l.kind = 'gateway' then coalesce(nullif(substr(noted, length(l.role) + 2), ''), l.role)
      else coalesce((select min(u.name) from portolan.users u where u.role = s.login), s.login)
    end
  from (select split_part(noted, '/', 1) as login) s left join portolan.logins l on l.role = s.login
$$;

COMMENT ON FUNCTION portolan.writer(noted text) IS 'The account that a version of a row names as its writer.';

CREATE SEQUENCE portolan.asleep
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

ALTER TABLE portolan.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.authentication (
    relation regclass NOT NULL,
    level text NOT NULL,
    CONSTRAINT authentication_level CHECK ((level = ANY (ARRAY['None'::text, 'Write'::text, 'Read/write'::text])))
);

CREATE TABLE portolan.authorization_codes (
    hash text NOT NULL,
    client_id text NOT NULL,
    user_name text NOT NULL,
    redirect_uri text NOT NULL,
    scope text DEFAULT ''::text NOT NULL,
    code_challenge text NOT NULL,
    token_version bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    family uuid
);

CREATE TABLE portolan.batches (
    n bigint NOT NULL,
    snapshot pg_snapshot NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last bigint NOT NULL,
    events integer NOT NULL,
    total bigint NOT NULL,
    relations oid[] NOT NULL
);

CREATE TABLE portolan.code (
    path text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    version text
);

CREATE TABLE portolan.consents (
    user_name text NOT NULL,
    client_id text NOT NULL,
    scopes text[] DEFAULT '{}'::text[] NOT NULL,
    given_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE portolan.device_requests (
    device_code_hash text NOT NULL,
    user_code text NOT NULL,
    client_id text NOT NULL,
    scope text DEFAULT ''::text NOT NULL,
    interval_seconds integer NOT NULL,
    last_polled_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    decision text,
    user_name text,
    token_version bigint,
    family uuid,
    CONSTRAINT device_requests_decision CHECK ((decision = ANY (ARRAY['granted'::text, 'denied'::text])))
);

CREATE TABLE portolan.event_reader (
    one boolean DEFAULT true NOT NULL,
    term bigint DEFAULT 0 NOT NULL,
    pid integer,
    started timestamp with time zone,
    epoch text DEFAULT ''::text NOT NULL,
    identity text,
    CONSTRAINT event_reader_is_one CHECK (one)
);

CREATE TABLE portolan.event_tables (
    relation regclass NOT NULL,
    setting boolean,
    active boolean DEFAULT false NOT NULL,
    members oid[] DEFAULT '{}'::oid[] NOT NULL
);

CREATE UNLOGGED TABLE portolan.gateways (
    pid integer NOT NULL,
    started timestamp with time zone,
    noted timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    figures jsonb NOT NULL
);

CREATE TABLE portolan.generations (
    subject text NOT NULL,
    generation bigint DEFAULT 0 NOT NULL
);

CREATE TABLE portolan.history_schemas (
    name text NOT NULL
);

CREATE TABLE portolan.jobs (
    id bigint NOT NULL,
    kind text NOT NULL,
    relation regclass NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    total bigint DEFAULT 0 NOT NULL,
    started_by text NOT NULL,
    started timestamp with time zone DEFAULT now() NOT NULL,
    updated timestamp with time zone DEFAULT now() NOT NULL,
    error text,
    lock_wait interval DEFAULT '00:10:00'::interval NOT NULL,
    "position" jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT jobs_kind CHECK ((kind = ANY (ARRAY['versioning'::text, 'workflow'::text, 'events'::text, 'import'::text]))),
    CONSTRAINT jobs_state CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'stopped'::text, 'failed'::text, 'done'::text])))
);

ALTER TABLE portolan.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.known_addresses (
    user_name text NOT NULL,
    address text NOT NULL,
    signed_in_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE portolan.lockouts (
    key text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_failure_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    locked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    user_name text,
    address_key text
);

CREATE VIEW portolan.method_generation AS
 SELECT g.generation
   FROM portolan.generations g
  WHERE (g.subject = 'methods'::text);

COMMENT ON VIEW portolan.method_generation IS 'A number that changes with every change of a stored method.';

CREATE TABLE portolan.methods (
    method text NOT NULL,
    q text NOT NULL,
    type_hints jsonb,
    type_formats jsonb,
    output_format text DEFAULT 'json'::text NOT NULL,
    srs integer DEFAULT 4326 NOT NULL,
    description text,
    timeout_ms integer,
    max_rows integer,
    cache_seconds integer,
    owner text,
    published boolean DEFAULT false NOT NULL,
    input_schema json,
    output_schema json,
    relations oid[],
    relations_stamp text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT methods_cache_seconds CHECK (((cache_seconds >= 0) AND (cache_seconds <= 86400))),
    CONSTRAINT methods_max_rows CHECK ((max_rows >= 1)),
    CONSTRAINT methods_name_is_legal CHECK (((method ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'::text) AND (method !~* '^rpc\.'::text))),
    CONSTRAINT methods_output_format CHECK ((output_format = ANY (ARRAY['json'::text, 'csv'::text, 'tsv'::text, 'ndjson'::text, 'geojson'::text, 'excel'::text]))),
    CONSTRAINT methods_q_fits CHECK (((octet_length(q) >= 1) AND (octet_length(q) <= 1048576))),
    CONSTRAINT methods_srs CHECK (((srs >= 1) AND (srs <= 998999))),
    CONSTRAINT methods_timeout_ms CHECK (((timeout_ms >= 1) AND (timeout_ms <= 86400000))),
    CONSTRAINT methods_type_formats_is_object CHECK ((jsonb_typeof(type_formats) = 'object'::text)),
    CONSTRAINT methods_type_hints_is_object CHECK ((jsonb_typeof(type_hints) = 'object'::text))
);

CREATE TABLE portolan.migrations (
    id text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE VIEW portolan.my_groups WITH (security_barrier='true') AS
 WITH RECURSIVE belongs(role) AS (
         SELECT a.roleid
           FROM ((portolan.me m
             JOIN pg_roles r_1 ON ((r_1.rolname = m.role)))
             JOIN pg_auth_members a ON ((a.member = r_1.oid)))
        UNION
         SELECT a.roleid
           FROM (belongs b_1
             JOIN pg_auth_members a ON ((a.member = b_1.role)))
        )
 SELECT u.name
   FROM ((belongs b
     JOIN pg_roles r ON ((r.oid = b.role)))
     JOIN portolan.users u ON ((u.role = r.rolname)))
  WHERE (u.name <> 'anonymous'::text);

COMMENT ON VIEW portolan.my_groups IS 'The accounts that the caller''s account is a member of.';

CREATE VIEW portolan.my_rules WITH (security_barrier='true') AS
 SELECT r.relation,
    r.command,
    r.priority,
    r.id,
    r.access
   FROM portolan.me m,
    portolan.rule_map r
  WHERE (((r.service IS NULL) OR (r.service = m.service)) AND ((r.network IS NULL) OR
        CASE
            WHEN (m.ip IS NULL) THEN (r.access <> 'a'::"char")
            ELSE (m.ip <<= (r.network)::inet)
        END) AND ((r.username IS NULL) OR (m.name ~~ r.username) OR (EXISTS ( SELECT
           FROM unnest(( SELECT array_agg(g_1.name) AS array_agg
                   FROM portolan.my_groups g_1)) g(name)
          WHERE (g.name ~~ r.username)))));

COMMENT ON VIEW portolan.my_rules IS 'The rules that apply to the account behind this session.';

CREATE TABLE portolan.workflow_roles (
    relation regclass NOT NULL,
    user_name text NOT NULL,
    level smallint NOT NULL,
    CONSTRAINT workflow_roles_level CHECK (((level >= 1) AND (level <= 3)))
);

CREATE VIEW portolan.my_workflow WITH (security_barrier='true') AS
 SELECT w.relation,
    max(w.level) AS level
   FROM portolan.me m,
    portolan.workflow_roles w
  WHERE ((w.user_name = m.name) OR (w.user_name = ANY (( SELECT array_agg(g.name) AS array_agg
           FROM portolan.my_groups g)::text[])))
  GROUP BY w.relation;

COMMENT ON VIEW portolan.my_workflow IS 'What the caller is in the workflow of each table.';

CREATE TABLE portolan.noted_database (
    one boolean DEFAULT true NOT NULL,
    identity text NOT NULL,
    name text NOT NULL,
    CONSTRAINT noted_database_is_one CHECK (one)
);

CREATE TABLE portolan.noted_rights (
    object text NOT NULL,
    kind text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    statements text[] NOT NULL,
    CONSTRAINT noted_rights_kind CHECK ((kind = ANY (ARRAY['grants'::text, 'defaults'::text, 'policy'::text])))
);

CREATE TABLE portolan.one_time_links (
    hash text NOT NULL,
    user_name text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE portolan.outbox (
    id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    relation oid NOT NULL,
    shape bigint,
    operation "char" NOT NULL,
    depth smallint DEFAULT 0 NOT NULL,
    old text[],
    new text[]
);
ALTER TABLE ONLY portolan.outbox ALTER COLUMN old SET STORAGE EXTERNAL;
ALTER TABLE ONLY portolan.outbox ALTER COLUMN new SET STORAGE EXTERNAL;

COMMENT ON COLUMN portolan.outbox.operation IS 'i, u, d: rows; t: truncated, or changed in another way that has no rows to show; v: written to a table that has history and no events';

ALTER TABLE portolan.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE portolan.own_sessions (
    pid integer NOT NULL,
    ip inet,
    login text NOT NULL,
    account text NOT NULL
);

CREATE TABLE portolan.privileges (
    relation regclass NOT NULL,
    user_name text NOT NULL,
    privilege text NOT NULL,
    CONSTRAINT privileges_privilege CHECK ((privilege = ANY (ARRAY['read'::text, 'write'::text, 'all'::text])))
);

CREATE TABLE portolan.rasters (
    relation regclass NOT NULL,
    file text NOT NULL,
    CONSTRAINT rasters_file_is_plain CHECK ((file ~ '^([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*[.](tif|tiff|TIF|TIFF)$'::text))
);

CREATE TABLE portolan.refresh_tokens (
    id uuid NOT NULL,
    family uuid NOT NULL,
    rotated_at timestamp with time zone,
    successor text
);

CREATE UNLOGGED TABLE portolan.request_minutes (
    minute timestamp with time zone NOT NULL,
    host text NOT NULL,
    requests integer NOT NULL,
    refused integer NOT NULL,
    failed integer NOT NULL,
    gone integer NOT NULL,
    durations integer[] NOT NULL,
    event_lag_ms integer NOT NULL,
    map_queue integer NOT NULL
);

COMMENT ON TABLE portolan.request_minutes IS 'How many requests there were in each minute of the last 24 hours. durations: how many took up to 0.25, 0.25 * 1.25, 0.25 * 1.25 ^ 2 … ms.';

ALTER TABLE portolan.requests ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.requests_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.row_security (
    relation regclass NOT NULL,
    team_enabled boolean NOT NULL,
    opened boolean NOT NULL,
    wanted text DEFAULT ''::text NOT NULL,
    made text DEFAULT ''::text NOT NULL,
    problem text
);

CREATE VIEW portolan.rule_generation AS
 SELECT g.generation
   FROM portolan.generations g
  WHERE (g.subject = 'rules'::text);

COMMENT ON VIEW portolan.rule_generation IS 'A number that changes with every change of the rules.';

CREATE VIEW portolan.ruled_commands WITH (security_barrier='true') AS
 SELECT DISTINCT r.relation,
    r.command
   FROM portolan.rule_map r;

COMMENT ON VIEW portolan.ruled_commands IS 'Which commands on which tables have rules at all.';

ALTER TABLE portolan.rules ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME portolan.rules_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.sessions (
    hash text NOT NULL,
    user_name text NOT NULL,
    token_version bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    agent text,
    address text
);

CREATE TABLE portolan.settings (
    name text NOT NULL,
    value jsonb NOT NULL
);

CREATE TABLE portolan.shapes (
    relation oid NOT NULL,
    stamp bigint NOT NULL,
    attnums smallint[] NOT NULL,
    names text[] NOT NULL,
    types oid[] NOT NULL
);

CREATE TABLE portolan.signing_keys (
    kid text NOT NULL,
    alg text DEFAULT 'ES256'::text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_jwk jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    signs_from timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE portolan.styles (
    relation regclass NOT NULL,
    style jsonb NOT NULL
);

CREATE TABLE portolan.timeline (
    only_row boolean DEFAULT true NOT NULL,
    timeline integer NOT NULL,
    CONSTRAINT timeline_only_row_check CHECK (only_row)
);

CREATE TABLE portolan.token_families (
    id uuid NOT NULL,
    client_id text NOT NULL,
    user_name text NOT NULL,
    scope text DEFAULT ''::text NOT NULL,
    token_version bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);

CREATE TABLE portolan.versioned_columns (
    relation regclass NOT NULL,
    attnum smallint NOT NULL,
    name text NOT NULL,
    type text NOT NULL
);

CREATE TABLE portolan.versioned_tables (
    relation regclass NOT NULL,
    history regclass,
    active boolean NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    members oid[] DEFAULT '{}'::oid[] NOT NULL,
    mirrored text DEFAULT ''::text NOT NULL,
    seen text DEFAULT ''::text NOT NULL,
    problem text,
    filling boolean DEFAULT false NOT NULL
);

CREATE VIEW portolan.visible_sessions WITH (security_barrier='true') AS
 SELECT s.id,
    s.kind,
    s.account,
    s.client_id,
    s.client,
    s.agent,
    s.address,
    s.since,
    s.expires_at,
    s.token_version
   FROM (( SELECT (f.id)::text AS id,
            'application'::text AS kind,
            f.user_name AS account,
            f.client_id,
            c.name AS client,
            NULL::text AS agent,
            NULL::text AS address,
            f.created_at AS since,
            f.expires_at,
            f.token_version
           FROM (portolan.token_families f
             JOIN portolan.clients c ON ((c.id = f.client_id)))
          WHERE (f.revoked_at IS NULL)
        UNION ALL
         SELECT "left"(encode(sha256((b.hash)::bytea), 'hex'::text), 32) AS "left",
            'browser'::text,
            b.user_name,
            NULL::text,
            NULL::text,
            b.agent,
            b.address,
            b.created_at,
            b.expires_at,
            b.token_version
           FROM portolan.sessions b) s
     JOIN portolan.users u ON (((u.name = s.account) AND (u.token_version = s.token_version))))
  WHERE ((s.expires_at > now()) AND COALESCE(( SELECT ((s.account = m.name) OR pg_has_role((m.role)::name, (('owner@'::text || (current_database())::text))::name, 'usage'::text))
           FROM portolan.me m), has_schema_privilege('portolan'::text, 'create'::text)));

COMMENT ON VIEW portolan.visible_sessions IS 'Where accounts are signed in: its own for each, all for super users.';

CREATE TABLE portolan.workflow_tables (
    relation regclass NOT NULL
);

ALTER TABLE ONLY portolan.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.authentication
    ADD CONSTRAINT authentication_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (n);

ALTER TABLE ONLY portolan.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.code
    ADD CONSTRAINT code_pkey PRIMARY KEY (path);

ALTER TABLE ONLY portolan.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (user_name, client_id);

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_pkey PRIMARY KEY (device_code_hash);

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_user_code_key UNIQUE (user_code);

ALTER TABLE ONLY portolan.event_reader
    ADD CONSTRAINT event_reader_pkey PRIMARY KEY (one);

ALTER TABLE ONLY portolan.event_tables
    ADD CONSTRAINT event_tables_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.gateways
    ADD CONSTRAINT gateways_pkey PRIMARY KEY (pid);

ALTER TABLE ONLY portolan.generations
    ADD CONSTRAINT generations_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY portolan.history_schemas
    ADD CONSTRAINT history_schemas_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.known_addresses
    ADD CONSTRAINT known_addresses_pkey PRIMARY KEY (user_name, address);

ALTER TABLE ONLY portolan.lockouts
    ADD CONSTRAINT lockouts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY portolan.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (role);

ALTER TABLE ONLY portolan.methods
    ADD CONSTRAINT methods_pkey PRIMARY KEY (method);

ALTER TABLE ONLY portolan.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.noted_database
    ADD CONSTRAINT noted_database_pkey PRIMARY KEY (one);

ALTER TABLE ONLY portolan.noted_rights
    ADD CONSTRAINT noted_rights_pkey PRIMARY KEY (object, kind, name);

ALTER TABLE ONLY portolan.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.own_sessions
    ADD CONSTRAINT own_sessions_pkey PRIMARY KEY (pid);

ALTER TABLE ONLY portolan.privileges
    ADD CONSTRAINT privileges_pkey PRIMARY KEY (relation, user_name);

ALTER TABLE ONLY portolan.rasters
    ADD CONSTRAINT rasters_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.request_minutes
    ADD CONSTRAINT request_minutes_pkey PRIMARY KEY (minute, host);

ALTER TABLE ONLY portolan.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (number);

ALTER TABLE ONLY portolan.row_security
    ADD CONSTRAINT row_security_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.rule_map
    ADD CONSTRAINT rule_map_pkey PRIMARY KEY (relation, command, priority, id);

ALTER TABLE ONLY portolan.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

ALTER TABLE ONLY portolan.styles
    ADD CONSTRAINT styles_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.timeline
    ADD CONSTRAINT timeline_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.versioned_columns
    ADD CONSTRAINT versioned_columns_pkey PRIMARY KEY (relation, attnum);

ALTER TABLE ONLY portolan.versioned_tables
    ADD CONSTRAINT versioned_tables_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.workflow_roles
    ADD CONSTRAINT workflow_roles_pkey PRIMARY KEY (relation, user_name);

ALTER TABLE ONLY portolan.workflow_tables
    ADD CONSTRAINT workflow_tables_pkey PRIMARY KEY (relation);

CREATE INDEX audit_at ON portolan.audit USING btree (at);

CREATE INDEX authorization_codes_client_id ON portolan.authorization_codes USING btree (client_id);

CREATE INDEX authorization_codes_expires_at ON portolan.authorization_codes USING btree (expires_at);

CREATE INDEX authorization_codes_family ON portolan.authorization_codes USING btree (family);

CREATE INDEX authorization_codes_user_name ON portolan.authorization_codes USING btree (user_name);

CREATE INDEX clients_account ON portolan.clients USING btree (account);

CREATE INDEX consents_client_id ON portolan.consents USING btree (client_id);

CREATE INDEX device_requests_address ON portolan.device_requests USING btree (address);

CREATE INDEX device_requests_client_id ON portolan.device_requests USING btree (client_id);

CREATE INDEX device_requests_expires_at ON portolan.device_requests USING btree (expires_at);

CREATE INDEX device_requests_family ON portolan.device_requests USING btree (family);

CREATE INDEX device_requests_user_name ON portolan.device_requests USING btree (user_name);

CREATE UNIQUE INDEX jobs_unfinished ON portolan.jobs USING btree (kind, relation) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX known_addresses_signed_in_at ON portolan.known_addresses USING btree (signed_in_at);

CREATE INDEX lockouts_last_failure_at ON portolan.lockouts USING btree (last_failure_at);

CREATE INDEX lockouts_user_name ON portolan.lockouts USING btree (user_name) WHERE (user_name IS NOT NULL);

CREATE INDEX methods_owner ON portolan.methods USING btree (owner);

CREATE INDEX one_time_links_user_name ON portolan.one_time_links USING btree (user_name);

CREATE INDEX outbox_xid ON portolan.outbox USING btree (xid);

CREATE INDEX privileges_user_name ON portolan.privileges USING btree (user_name);

CREATE INDEX refresh_tokens_family ON portolan.refresh_tokens USING btree (family);

CREATE INDEX refresh_tokens_rotated_at ON portolan.refresh_tokens USING btree (rotated_at) WHERE (rotated_at IS NOT NULL);

CREATE INDEX requests_error_id ON portolan.requests USING btree (error_id) WHERE (error_id IS NOT NULL);

CREATE INDEX requests_id ON portolan.requests USING btree (id);

CREATE INDEX sessions_expires_at ON portolan.sessions USING btree (expires_at);

CREATE INDEX sessions_user_name ON portolan.sessions USING btree (user_name);

CREATE INDEX shapes_relation_stamp ON portolan.shapes USING btree (relation, stamp);

CREATE INDEX token_families_client_id ON portolan.token_families USING btree (client_id);

CREATE INDEX token_families_expires_at ON portolan.token_families USING btree (expires_at);

CREATE INDEX token_families_user_name ON portolan.token_families USING btree (user_name);

CREATE INDEX users_role ON portolan.users USING btree (role);

CREATE INDEX users_user_group ON portolan.users USING btree (user_group);

CREATE INDEX workflow_roles_user_name ON portolan.workflow_roles USING btree (user_name);

CREATE TRIGGER _000_refuse_own_sql BEFORE INSERT OR DELETE OR UPDATE ON portolan.methods FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_methods__refuse_own_sql();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE ON portolan.methods FOR EACH ROW EXECUTE FUNCTION portolan.tg_methods__check();

CREATE TRIGGER _100_check_client BEFORE INSERT OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg_clients__check();

CREATE TRIGGER _100_check_rule BEFORE INSERT OR UPDATE ON portolan.rules FOR EACH ROW EXECUTE FUNCTION portolan.tg_rules__check();

CREATE TRIGGER _500_compile_inserted AFTER INSERT ON portolan.rules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__compile();

CREATE TRIGGER _500_compile_removed AFTER DELETE OR TRUNCATE ON portolan.rules FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__compile();

CREATE TRIGGER _500_compile_updated AFTER UPDATE ON portolan.rules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__compile();

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.authentication FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('authentication', '{relation}', '{level}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('client');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.event_tables FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('events', '{relation}', '{setting}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.methods FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('method', '{method}', '{
    q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, owner, published}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.privileges FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('privilege', '{relation, user_name}', '{privilege}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.rasters FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('raster', '{relation}', '{file}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.rules FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('rule');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.styles FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('style', '{relation}', '{style}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.users FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('user');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.versioned_tables FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('versioning', '{relation}', '{active, history}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.workflow_roles FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('workflow_role', '{relation, user_name}', '{level}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE ON portolan.workflow_tables FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('workflow', '{relation}', '{}');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.clients FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('clients');

CREATE TRIGGER _900_bump_generation AFTER INSERT ON portolan.jobs FOR EACH ROW EXECUTE FUNCTION portolan.tg__bump_generation('jobs');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.methods FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('methods');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.rasters FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('maps');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.rule_map FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('rules');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.signing_keys FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('keys');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.styles FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('maps');

CREATE TRIGGER _900_bump_generation AFTER UPDATE OF revoked_at ON portolan.token_families FOR EACH ROW WHEN (((new.revoked_at IS NOT NULL) AND (old.revoked_at IS NULL))) EXECUTE FUNCTION portolan.tg__bump_generation('tokens');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.users FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('accounts');

CREATE TRIGGER _900_bump_generation_of_new AFTER INSERT ON portolan.token_families FOR EACH ROW WHEN ((new.revoked_at IS NOT NULL)) EXECUTE FUNCTION portolan.tg__bump_generation('tokens');

CREATE TRIGGER _910_bump_generation AFTER UPDATE ON portolan.jobs FOR EACH ROW WHEN ((old.state <> new.state)) EXECUTE FUNCTION portolan.tg__bump_generation('jobs');

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_family_fkey FOREIGN KEY (family) REFERENCES portolan.token_families(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.clients
    ADD CONSTRAINT clients_account_fkey FOREIGN KEY (account) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.consents
    ADD CONSTRAINT consents_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.consents
    ADD CONSTRAINT consents_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_family_fkey FOREIGN KEY (family) REFERENCES portolan.token_families(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.known_addresses
    ADD CONSTRAINT known_addresses_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.methods
    ADD CONSTRAINT methods_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.one_time_links
    ADD CONSTRAINT one_time_links_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.privileges
    ADD CONSTRAINT privileges_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.refresh_tokens
    ADD CONSTRAINT refresh_tokens_family_fkey FOREIGN KEY (family) REFERENCES portolan.token_families(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.sessions
    ADD CONSTRAINT sessions_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.users
    ADD CONSTRAINT users_user_group_fkey FOREIGN KEY (user_group) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY portolan.versioned_columns
    ADD CONSTRAINT versioned_columns_relation_fkey FOREIGN KEY (relation) REFERENCES portolan.versioned_tables(relation) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.workflow_roles
    ADD CONSTRAINT workflow_roles_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE POLICY change_methods ON portolan.methods FOR UPDATE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY drop_methods ON portolan.methods FOR DELETE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

ALTER TABLE portolan.gateways ENABLE ROW LEVEL SECURITY;

CREATE POLICY make_methods ON portolan.methods FOR INSERT WITH CHECK (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

ALTER TABLE portolan.methods ENABLE ROW LEVEL SECURITY;

CREATE POLICY read_methods ON portolan.methods FOR SELECT USING ((published OR (owner = ( SELECT m.name
   FROM portolan.me m)) OR ( SELECT portolan.is_super_user() AS is_super_user) OR portolan.is_of_super_user(method)));

GRANT USAGE ON SCHEMA portolan TO PUBLIC;

REVOKE ALL ON FUNCTION portolan.access_findings() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.access_findings() TO gateway;

REVOKE ALL ON FUNCTION portolan.account_name(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.actor() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.add_workflow_history(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.adopt_role(name text, role text, password text, email text, properties jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.apply_authentication(relation regclass, level text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.apply_change(kind text, name text, member text, before jsonb, after jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.apply_configuration(configuration jsonb, prune boolean, dry boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.apply_configuration(configuration jsonb, prune boolean, dry boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.apply_rule_changes(changes jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.authentication_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.authentication_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text) TO gateway;

REVOKE ALL ON FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.catalogue(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.catalogue(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.change_job(id bigint, state text, lock_wait interval) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.change_job(id bigint, state text, lock_wait interval) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.check_raster_file(file text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_recorded(relation regclass, what text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_relation(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_rule_names(username text, schema text, "table" text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style(relation regclass, style jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_members(relation regclass, object text, value jsonb, path text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_operand(relation regclass, column_name text, kind text, operator text, operand jsonb, path text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_value(relation regclass, kind jsonb, value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_versioning(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_workflow(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.clear_event_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) TO gateway;

REVOKE ALL ON FUNCTION portolan.clear_expired(audit_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.clear_expired(audit_days integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.close_history(history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.close_relation(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.collections(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.collections(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.compile(written integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.configuration() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.configuration() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.configuration_entries(configuration jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.copy_portion(relation regclass, member regclass, history regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text, refresh_reuse text, account text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text, refresh_reuse text, account text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_rule(rule jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_rule(rule jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.cut_batch(own_term bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.cut_batch(own_term bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.database_identity() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.disable_events(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_events(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.disable_workflow(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_workflow(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_as_of(history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_client(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_client(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_own_triggers(member oid, kind text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_raster(schema_name text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_raster(schema_name text, table_name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_rule(id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_rule(id integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_user(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_user(name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.duration_quantile(durations integer[], part double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.enable_events(relation regclass, wait boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.enable_events(relation regclass, wait boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.enable_versioning(relation regclass, wait boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.enable_versioning(relation regclass, wait boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.enable_workflow(relation regclass, wait boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.enable_workflow(relation regclass, wait boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.end_filling(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.end_lost_versions(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_comment(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_log(after bigint, most integer, tables oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_log(after bigint, most integer, tables oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_members(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_rights(roles text[], tables oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_rights(roles text[], tables oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_settings(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_shape(relation oid, stamp bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_shape(relation oid, stamp bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_tables_to_change(schemas text[], everything boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_trigger_body(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_trigger_count(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.events_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.events_of(relation regclass) TO "owner@database";

GRANT SELECT ON TABLE portolan.users TO gateway;

REVOKE ALL ON FUNCTION portolan.existing_account(name text) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.clients TO gateway;

REVOKE ALL ON FUNCTION portolan.existing_client(id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.existing_raster(schema_name text, table_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.explain_access(user_name text, relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.explain_access(user_name text, relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.exposed_schemas() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.exposed_schemas() TO gateway;

REVOKE ALL ON FUNCTION portolan.fill_history(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.filter_problem(policy oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.filter_sql(relation regclass, filter text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.fleet() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.fleet() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.follow_console(redirect_uri text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.follow_console(redirect_uri text) TO gateway;

REVOKE ALL ON FUNCTION portolan.follow_ddl() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.follow_ddl() TO gateway;

REVOKE ALL ON FUNCTION portolan.follow_history() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.grant_role(role text, member text, inherit boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.harden() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hash_password(password text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_stamp(relation oid, history oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_trigger_body(relation regclass, member oid, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.index_history(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_ddl_trigger() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_history(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_history_triggers(relation regclass, member regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_workflow(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.invite_user(name text, lifetime interval) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.invite_user(name text, lifetime interval) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.is_large(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_own_policy(name name) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_redirect_uri(uri text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_restored() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.is_restored() TO gateway;

REVOKE ALL ON FUNCTION portolan.is_team_relation(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_versioned(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.is_versioned(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.join_roles(account portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.judge_sql(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.leaky_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.lift_lockout(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.lift_lockout(name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.like_pattern(glob text) FROM PUBLIC;

GRANT INSERT ON TABLE portolan.audit TO gateway;

REVOKE ALL ON FUNCTION portolan.list_audit(event text, account text, since timestamp with time zone, before bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_audit(event text, account text, since timestamp with time zone, before bigint, most integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_clients(ids text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_clients(ids text[]) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_jobs(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_jobs(id bigint) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_rasters() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_rasters() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_requests(id text, status text, account text, error_id text, since timestamp with time zone, least_ms real, before bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_requests(id text, status text, account text, error_id text, since timestamp with time zone, least_ms real, before bigint, most integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_rules(ids integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_rules(ids integer[]) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_statements() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_statements() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_statistics(since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_statistics(since timestamp with time zone) TO "owner@database";

GRANT SELECT ON TABLE portolan.logins TO gateway;

GRANT SELECT ON TABLE portolan.me TO PUBLIC;

GRANT SELECT ON TABLE portolan.visible_users TO PUBLIC;

REVOKE ALL ON FUNCTION portolan.made_protection(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_as_of(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_workflow(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mark_leakproof() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.members_stamp(members oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mend_rights(recorded boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mirror_policy(relation regclass, history regclass, name name, rest text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mirror_rights(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.missing_owner_rights(schemas text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.move_roles(before portolan.users, after portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.new_secret() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_rights() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_rights() TO gateway;

REVOKE ALL ON FUNCTION portolan.note_schemas(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_schemas(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_shape(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.one_at_a_time() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.open_doors() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.open_doors() TO gateway;

REVOKE ALL ON FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.place_history(relation regclass, history regclass, schema text, name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.planned_columns(relation oid, stamp bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.planned_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.prepare_history(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.privileges_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.privileges_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.protect(relation regclass, written integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.protect_by_rules(relation regclass, written integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.protect_by_workflow(relation regclass, root regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.queue_job(kind text, relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.read_filter(filter text, OUT condition text, OUT keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.refresh_mirror(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refuse_rule_for(relation regclass, kind "char") FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refuse_version(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refusing_relations() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.refusing_relations() TO gateway;

REVOKE ALL ON FUNCTION portolan.register_login(login text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.relation_of(schema_name text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.relation_of(schema_name text, table_name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.release_lease(own_term bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.release_lease(own_term bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.remove_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.repair_roles(regrant boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) TO gateway;

REVOKE ALL ON FUNCTION portolan.restore_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) TO gateway;

REVOKE ALL ON FUNCTION portolan.rights_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rights_to_mend() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rights_to_mend() TO gateway;

REVOKE ALL ON FUNCTION portolan.role_sql(role oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.rotate_signing_key(kid text, public_jwk jsonb, private_jwk jsonb, at_once boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.row_estimate(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.row_keys(relation oid) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.row_keys(relation oid) TO gateway;

REVOKE ALL ON FUNCTION portolan.rule_notes(id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rule_notes(id integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.rule_record(rule jsonb, base jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.runner_login(verifier text, connections integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.runner_login(verifier text, connections integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.runner_role() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.runner_role() TO gateway;

REVOKE ALL ON FUNCTION portolan.secrets() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.secrets() TO gateway;

REVOKE ALL ON FUNCTION portolan.set_asleep(asleep boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_asleep(asleep boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.set_authentication(relation regclass, level text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_authentication(relation regclass, level text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_client_secret(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_client_secret(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_login(role text, verifier text, connections integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.set_password(name text, password text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_password(name text, password text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_style(relation regclass, style jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_style(relation regclass, style jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_workflow(relation regclass, settings jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_workflow(relation regclass, settings jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.shape_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.share_new(relations oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.share_with_owner(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.share_with_owner(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.shown_schemas() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.stamped_members(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.style_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.style_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.style_problem(relation regclass, style text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.style_problem(relation regclass, style text) TO gateway;

REVOKE ALL ON FUNCTION portolan.sync_events(schemas text[], everything boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sync_events(schemas text[], everything boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.sync_history_columns(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tables_beneath(view oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) TO gateway;

REVOKE ALL ON FUNCTION portolan.team_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__audit_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__audit_setting() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__bump_generation() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__follow_ddl() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__refuse_denied() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__workflow() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_clients__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_methods__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_methods__refuse_own_sql() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_rules__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_rules__compile() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.type_catalogue(types oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.type_catalogue(types oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.unprotected_relations() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.update_client(id text, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_client(id text, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_rule(id integer, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_rule(id integer, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_user(name text, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_user(name text, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.version_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.versioned_relations() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.versioned_relations() TO gateway;

REVOKE ALL ON FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) TO gateway;

REVOKE ALL ON FUNCTION portolan.wal_timeline() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_memberships() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_protection(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_rules() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.work_job(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.work_job(id bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.workflow_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.workflow_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.workflow_relations() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.workflow_relations() TO gateway;

REVOKE ALL ON FUNCTION portolan.workflow_root(relation oid) FROM PUBLIC;

GRANT INSERT ON TABLE portolan.authorization_codes TO gateway;

GRANT SELECT ON TABLE portolan.code TO gateway;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.consents TO gateway;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.device_requests TO gateway;

GRANT SELECT ON TABLE portolan.event_reader TO gateway;

GRANT SELECT ON TABLE portolan.event_tables TO gateway;

GRANT SELECT ON TABLE portolan.generations TO gateway;

GRANT SELECT ON TABLE portolan.history_schemas TO gateway;

GRANT SELECT ON TABLE portolan.jobs TO gateway;

GRANT SELECT ON TABLE portolan.method_generation TO PUBLIC;

GRANT SELECT,DELETE ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(method) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(q),UPDATE(q) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(type_hints),UPDATE(type_hints) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(type_formats),UPDATE(type_formats) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(output_format),UPDATE(output_format) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(srs),UPDATE(srs) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(description),UPDATE(description) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(timeout_ms),UPDATE(timeout_ms) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(max_rows),UPDATE(max_rows) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(cache_seconds),UPDATE(cache_seconds) ON TABLE portolan.methods TO PUBLIC;

GRANT INSERT(published),UPDATE(published) ON TABLE portolan.methods TO PUBLIC;

GRANT SELECT ON TABLE portolan.migrations TO gateway;

GRANT SELECT ON TABLE portolan.my_groups TO PUBLIC;

GRANT SELECT ON TABLE portolan.my_rules TO PUBLIC;

GRANT SELECT ON TABLE portolan.my_workflow TO PUBLIC;

GRANT SELECT ON TABLE portolan.one_time_links TO gateway;

GRANT SELECT ON TABLE portolan.rasters TO gateway;

GRANT SELECT(id) ON TABLE portolan.refresh_tokens TO gateway;

GRANT SELECT(rotated_at) ON TABLE portolan.refresh_tokens TO gateway;

GRANT SELECT ON TABLE portolan.rule_generation TO PUBLIC;

GRANT SELECT ON TABLE portolan.ruled_commands TO PUBLIC;

GRANT SELECT,INSERT,DELETE ON TABLE portolan.sessions TO gateway;

GRANT SELECT(kid) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(alg) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(public_jwk) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(created_at) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(retired_at) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT ON TABLE portolan.styles TO gateway;

GRANT SELECT ON TABLE portolan.timeline TO gateway;

GRANT SELECT ON TABLE portolan.token_families TO gateway;

GRANT SELECT ON TABLE portolan.visible_sessions TO PUBLIC;
