-- Made by npm run schema:dump on PostgreSQL 15; do not edit.

CREATE SCHEMA portolan;

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
  v_schema text;
  v_anonymous text := portolan.role_name('anonymous');
begin
  if level = 'Read/write' then
    execute format('revoke select on table %s from %I', relation, v_anonymous);
    return;
  end if;
  select n.nspname into v_schema
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  execute format('grant usage on schema %I to %I', v_schema, v_anonymous);
  execute format('grant select on table %s to %I', relation, v_anonymous);
end
$$;

COMMENT ON FUNCTION portolan.apply_authentication(relation regclass, level text) IS 'Writes an authentication level as a grant to anonymous.';

CREATE FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_schema text;
  v_sequence regclass;
  v_writes boolean := privilege in ('write', 'all');
begin
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
end
$$;

COMMENT ON FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) IS 'Writes a privilege as PostgreSQL grants.';

CREATE FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean DEFAULT NULL::boolean) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_keys text[] := array[kind || ':pair:' || subject || '@' || address];
  v_free integer[] := array[10];
  v_wait integer;
begin
  if kind = 'account' and not exists (
    select from portolan.known_addresses k
    where k.user_name = subject and k.address = attempt.address and k.signed_in_at > now() - interval '30 days'
  ) then
    v_keys := v_keys || array[kind || ':address:' || address, kind || ':subject:' || subject];
    v_free := v_free || array[10, 100];
  end if;
  select array_agg(encode(sha256(convert_to(k, 'UTF8')), 'hex') order by o) into v_keys
  from unnest(v_keys) with ordinality u (k, o);

  if succeeded is not null then
    if not succeeded then
      insert into portolan.lockouts (key) select k from unnest(v_keys) k order by k on conflict do nothing;
    end if;
    perform from portolan.lockouts l where l.key = any (v_keys) order by l.key for update;
  end if;
  select ceil(extract(epoch from max(l.locked_until) - clock_timestamp())) into v_wait
  from portolan.lockouts l
  where l.key = any (v_keys) and l.locked_until > clock_timestamp();
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

CREATE FUNCTION portolan.bind_own_session(pid integer, ip inet) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into portolan.own_sessions (pid, started, ip)
  select a.pid, a.backend_start, bind_own_session.ip from pg_stat_get_activity(bind_own_session.pid) a
  on conflict (pid) do update set started = excluded.started, ip = excluded.ip
$$;

COMMENT ON FUNCTION portolan.bind_own_session(pid integer, ip inet) IS 'Notes the caller''s address for a connection of its own.';

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
    select r.relnamespace, 'k' || k.oid || '.' || k.xmin from relations r join pg_constraint k on k.conrelid = r.oid
    union all
    select r.relnamespace, 'x' || i.indexrelid || '.' || i.xmin from relations r join pg_index i on i.indrelid = r.oid
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
    and exists (select from portolan.logins l where l.role = session_user)
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

CREATE FUNCTION portolan.check_events(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_class record;
begin
  perform portolan.check_relation(relation);
  select c.relkind, c.relispartition, c.relpersistence into v_class from pg_class c where c.oid = relation;
  if v_class.relkind in ('v', 'm') then
    raise exception '% is a view: events are of the tables beneath it', relation using errcode = 'PX400';
  elsif v_class.relkind = 'f' then
    raise exception '% is a foreign table: what is written there is not seen here', relation using errcode = 'PX400';
  elsif v_class.relispartition then
    raise exception '% is a partition: events are of %', relation, pg_partition_root(relation) using errcode = 'PX400';
  elsif v_class.relpersistence <> 'p' then
    raise exception '% is unlogged or temporary: a crash empties it without an event', relation using errcode = 'PX400';
  elsif exists (
    select from pg_partition_tree(relation) t join pg_class c on c.oid = t.relid where c.relkind = 'f')
  then
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

COMMENT ON FUNCTION portolan.check_events(relation regclass) IS 'Refuses a relation that cannot have events.';

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
    when 'like', 'ilike' then
      if kind <> 'text' or jsonb_typeof(operand) <> 'string' then
        raise exception '%: expected a pattern, for a column of text', path using errcode = 'PX400';
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
      raise exception '%: there is no operator "%"; there are eq, neq, gt, gte, lt, lte, in, nin, like, ilike, isNull',
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
      if v_number > 0 and v_number <= 1e12 then
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
    AS $$
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
$$;

COMMENT ON FUNCTION portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer) IS 'Refuses a condition of a style that is not right.';

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
  ), relations as (
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
  ), types as (
    select a.atttypid as oid from relations r join pg_attribute a on a.attrelid = r.oid
    where a.attnum > 0 and not a.attisdropped
    union
    select m.oid
    from types t
      join pg_type y on y.oid = t.oid
      cross join lateral (
        select y.typbasetype
        union all select y.typelem
        union all select g.rngsubtype from pg_range g where y.oid in (g.rngtypid, g.rngmultitypid)
        union all
        select a.atttypid from pg_attribute a
        where y.typtype = 'c' and a.attrelid = y.typrelid and a.attnum > 0 and not a.attisdropped
      ) m (oid)
    where m.oid <> 0
  )
  select jsonb_build_object(
    'postgis', (select n.nspname from postgis p join pg_namespace n on n.oid = p.namespace),
    'types', coalesce((
      select jsonb_object_agg(y.oid, jsonb_build_object(
        'schema', n.nspname,
        'name', y.typname,
        'class', y.typtype,
        'modifier', y.typtypmod,
        'base', nullif(y.typbasetype, 0)::int8,
        'element', coalesce(
          (select g.rngsubtype from pg_range g where y.oid in (g.rngtypid, g.rngmultitypid)),
          case when y.typcategory = 'A' then nullif(y.typelem, 0) end)::int8,
        'attributes', case when y.typtype = 'c' then (
          select jsonb_agg(jsonb_build_object('name', a.attname, 'type', a.atttypid::int8) order by a.attnum)
          from pg_attribute a where a.attrelid = y.typrelid and a.attnum > 0 and not a.attisdropped) end))
      from pg_type y join pg_namespace n on n.oid = y.typnamespace
      where y.oid in (select oid from types)), '{}'),
    'relations', coalesce((
      select jsonb_agg(jsonb_build_object(
        'oid', r.oid::int8,
        'schema', r.nspname,
        'name', r.relname,
        'kind', r.relkind,
        'rowSecurity', r.relrowsecurity,
        'comment', obj_description(r.oid, 'pg_class'),
        'raster', (select f.file from portolan.rasters f where f.relation = r.oid),
        'style', (select s.style from portolan.styles s where s.relation = r.oid),
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
            'comment', col_description(r.oid, a.attnum)) order by a.attnum)
          from pg_attribute a where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped))
        order by r.nspname collate "C", r.relname collate "C")
      from relations r), '[]'))
$$;

COMMENT ON FUNCTION portolan.collections(schemas text[]) IS 'What the gateway must know of the tables and views with a geometry.';

CREATE FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean DEFAULT false, confirm boolean DEFAULT true, grants text[] DEFAULT '{authorization_code,refresh_token,device_code}'::text[], homepage text DEFAULT NULL::text, description text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_secret text;
begin
  if id is null or id !~ '^[A-Za-z0-9._~:@-]{1,100}$' then
    raise exception 'a client id is 1 to 100 of A-Z, a-z, 0-9 and ._~:@-' using errcode = 'PX400';
  end if;
  if not coalesce(grants, '{}') <@ array['authorization_code', 'refresh_token', 'device_code', 'password'] then
    raise exception 'a grant is authorization_code, refresh_token, device_code or password' using errcode = 'PX400';
  end if;
  if exists (select from portolan.clients c where c.id = create_client.id) then
    raise exception 'the client "%" exists', id using errcode = 'PX409';
  end if;
  if not coalesce(public, false) then
    v_secret := portolan.new_secret();
  end if;
  insert into portolan.clients (id, name, redirect_uri, public, confirm, grants, homepage, description, secret_hash)
  values (
    id, name, redirect_uri, coalesce(public, false), coalesce(confirm, true),
    coalesce(grants, '{authorization_code,refresh_token,device_code}'), homepage, description,
    encode(sha256(convert_to(v_secret, 'UTF8')), 'hex'));
  return v_secret;
end
$_$;

COMMENT ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text) IS 'Registers an OAuth client. Returns its secret, which cannot be read again, or null for a public client.';

CREATE FUNCTION portolan.create_raster(schema_name text, table_name text, file text) RETURNS regclass
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_relation regclass;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_raster_file(file);
  if not exists (select from pg_namespace n where n.nspname = schema_name)
    or schema_name ~ '^pg_' or schema_name in ('information_schema', 'portolan')
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
  perform portolan.share_with_owner(array[schema_name]); -- super users may see it at once
  return v_relation;
end
$$;

COMMENT ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) IS 'Makes a collection of a GeoTIFF in the gateway''s raster folder.';

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
    case
      when b.n is null then array(select x::text from pg_snapshot_xip(pg_current_snapshot()) x)
      else '{}'::text[]
    end,
    b.n, b.snapshot::text, b.at, b.last, b.total, b.relations
  from reader r
    left join batch b on true
    left join told t on true
    join (select count(*) as shapes from noted) k on k.shapes >= 0; -- else it would not be executed
end
$$;

COMMENT ON FUNCTION portolan.cut_batch(own_term bigint) IS 'Gives the change events that became visible their place in the order.';

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

CREATE FUNCTION portolan.drop_event_triggers(relation oid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_trigger record;
begin
  for v_trigger in
    select t.tgname, t.tgrelid::regclass as member
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = relation and p.pronamespace = 'portolan'::regnamespace and p.proname like 'tg\_%\_\_emit\_event'
  loop
    begin
      execute format('drop trigger %I on %s', v_trigger.tgname, v_trigger.member);
    exception
      when insufficient_privilege then
        raise exception 'Portolan may not drop triggers of %', v_trigger.member
          using errcode = '42501', hint = format('drop trigger %I on %s', v_trigger.tgname, v_trigger.member);
    end;
  end loop;
  execute format('drop function if exists portolan.tg_%s__emit_event()', relation);
end
$$;

COMMENT ON FUNCTION portolan.drop_event_triggers(relation oid) IS 'Drops the triggers of events from one table.';

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

CREATE FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
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
  v_asleep bigint;
begin
  if operation = 'm' then
    v_asleep := portolan.emit_rows(relation, 'd', olds, null);
    return coalesce(portolan.emit_rows(relation, 'i', null, news), v_asleep);
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
      values (emit_rows.relation, v_shape, emit_rows.operation, pg_trigger_depth(), v_olds, v_news)
      returning (select s.last_value from portolan.asleep s) into v_asleep;
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
  if v_asleep is not null then
    perform portolan.note_shape(relation);
  end if;
  -- an open cursor would keep the transition tables until the transaction ends
  if olds is not null then
    close olds;
  end if;
  if news is not null then
    close news;
  end if;
  return v_asleep;
end
$$;

COMMENT ON FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) IS 'Writes the records of a statement to the outbox, in pieces.';

CREATE FUNCTION portolan.enable_events(relation regclass) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.one_at_a_time();
  perform portolan.check_events(relation);
  if not portolan.event_comment(relation) then
    raise exception 'the comment of % says "@events off": change the comment', relation using errcode = 'PX400';
  end if;
  insert into portolan.event_tables as t (relation, setting)
  values (relation, true)
  on conflict on constraint event_tables_pkey do update set setting = true;
  perform portolan.install_events(relation);
end
$$;

COMMENT ON FUNCTION portolan.enable_events(relation regclass) IS 'Switches the events of a table on.';

CREATE FUNCTION portolan.event_comment(relation oid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select (regexp_match(obj_description(relation, 'pg_class'), '(?:^|\n)\s*@events\s+(on|off)\s*(?:\n|$)'))[1] = 'on'
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
          'type', a.atttypid::bigint,
          'typeSchema', (select tn.nspname from pg_namespace tn where tn.oid = b.typnamespace),
          'typeName', b.typname)
        order by a.attnum)
      from pg_attribute a
        cross join lateral (
          with recursive base as (
            select y.* from pg_type y where y.oid = a.atttypid
            union all
            select y.* from base join pg_type y on y.oid = base.typbasetype
          )
          select base.typname, base.typnamespace from base where base.typtype <> 'd'
        ) b
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]'),
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
  v_asleep bigint;
  v_more boolean := true;
  v_done integer := 0;
  v_old refcursor;
  v_new refcursor;
  v_operation text;
begin
  -- The flag is read after the row is written, which is after the transaction got its id: either the reader, having set
  -- the flag, sees this transaction in flight, or this transaction sees the flag.
  -- A snapshot that is older than the statement may be older than the table's columns, so the plan must not rest on it.
  if %2$s and current_setting('transaction_isolation') = 'read committed' then
    if tg_op = 'UPDATE' then
      insert into portolan.outbox (relation, shape, operation, depth, old, new)
      select %1$s, portolan.planned_stamp(%1$s), 'u', pg_trigger_depth(), array[(o.*)::text], array[(n.*)::text]
      from old_rows o cross join new_rows n
      limit 1
      returning (select last_value from portolan.asleep), exists (select from new_rows offset 1) into v_asleep, v_more;
    elsif tg_op = 'INSERT' then
      insert into portolan.outbox (relation, shape, operation, depth, new)
      select %1$s, portolan.planned_stamp(%1$s), 'i', pg_trigger_depth(), array[(n.*)::text]
      from new_rows n
      limit 1
      returning (select last_value from portolan.asleep), exists (select from new_rows offset 1) into v_asleep, v_more;
    elsif tg_op = 'DELETE' then
      insert into portolan.outbox (relation, shape, operation, depth, old)
      select %1$s, portolan.planned_stamp(%1$s), 'd', pg_trigger_depth(), array[(o.*)::text]
      from old_rows o
      limit 1
      returning (select last_value from portolan.asleep), exists (select from old_rows offset 1) into v_asleep, v_more;
    end if;
    v_done := 1;
  end if;
  if tg_op = 'TRUNCATE' then
    insert into portolan.outbox (relation, operation, depth) values (%1$s, 't', pg_trigger_depth())
    returning (select last_value from portolan.asleep) into v_asleep;
  elsif v_more then
    if tg_op <> 'INSERT' then
      open v_old for select (o.*)::text from old_rows o offset v_done;
    end if;
    if tg_op <> 'DELETE' then
      open v_new for select (n.*)::text from new_rows n offset v_done;
    end if;
    v_operation := lower(left(tg_op, 1));
    if not %2$s and tg_op = 'UPDATE' then
      -- an update that moves rows between partitions and is refused there leaves fewer new rows than old, and nothing
      -- tells which belong together
      if (select count(*) from old_rows) <> (select count(*) from new_rows) then
        v_operation := 'm';
      end if;
    end if;
    v_asleep := coalesce(portolan.emit_rows(%1$s, v_operation::"char", v_old, v_new), v_asleep);
  end if;
  if v_asleep = 1 then
    perform pg_notify('portolan', '');
  end if;
  return null;
end
$body$,
    c.oid,
    case when c.relkind = 'p' then 'false' else 'true' end)
  from pg_class c
  where c.oid = relation
$_$;

COMMENT ON FUNCTION portolan.event_trigger_body(relation oid) IS 'The body of the function behind the triggers of events of one table.';

CREATE FUNCTION portolan.event_trigger_count(relation oid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  select count(*)
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where t.tgrelid = relation
    and p.oid = to_regprocedure(format('portolan.tg_%s__emit_event()', relation))
    and p.prosrc = portolan.event_trigger_body(relation)
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
    CONSTRAINT clients_access_token_lifetime CHECK (((access_token_lifetime_seconds >= 1) AND (access_token_lifetime_seconds <= 31536000))),
    CONSTRAINT clients_code_lifetime CHECK (((code_lifetime_seconds >= 1) AND (code_lifetime_seconds <= 600))),
    CONSTRAINT clients_device_code_lifetime CHECK (((device_code_lifetime_seconds >= 1) AND (device_code_lifetime_seconds <= 86400))),
    CONSTRAINT clients_device_poll_interval CHECK (((device_poll_interval_seconds >= 1) AND (device_poll_interval_seconds <= 300))),
    CONSTRAINT clients_grants_are_known CHECK (((grants <@ ARRAY['authorization_code'::text, 'refresh_token'::text, 'device_code'::text, 'password'::text]) AND (array_position(grants, NULL::text) IS NULL))),
    CONSTRAINT clients_homepage_is_web CHECK (((homepage ~ '^https?://[^\s<>"\\]+$'::text) AND (length(homepage) <= 2000))),
    CONSTRAINT clients_id_is_legal CHECK ((id ~ '^[A-Za-z0-9._~:@-]{1,100}$'::text)),
    CONSTRAINT clients_name_fits CHECK (((length(name) >= 1) AND (length(name) <= 200))),
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

CREATE FUNCTION portolan.exposed_schemas() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select coalesce(array_agg(n.nspname::text order by n.nspname), '{}')
  from pg_namespace n
  where n.nspname !~ '^pg_'
    and n.nspname not in ('information_schema', 'portolan')
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
  perform portolan.check_events(relation);
  v_members := portolan.event_members(relation);
  foreach v_member in array v_members loop
    v_function := format('portolan.tg_%s__emit_event', v_member::oid);
    if not exists (
      select from pg_proc p
      where p.oid = to_regprocedure(v_function || '()') and p.prosrc = portolan.event_trigger_body(v_member))
    then
      execute format(
        'create or replace function %s() returns trigger language plpgsql volatile security definer '
        -- definer: nobody but the owner may write the outbox
        'set search_path = pg_catalog, pg_temp '
        -- whatever the writer''s session has: the text must be read by another one
        'set datestyle = ''ISO, YMD'' set intervalstyle = ''postgres'' set timezone = ''UTC'' '
        'set extra_float_digits = 1 set bytea_output = ''hex'' as %L',
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
    perform portolan.drop_event_triggers(v_member);
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

CREATE FUNCTION portolan.join_roles(account portolan.users) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_login text;
begin
  if account.role_made then
    if account.name <> 'anonymous' then
      perform portolan.grant_role(portolan.role_name('anonymous'), account.role, true);
    end if;
    if account.user_group is not null then
      perform portolan.grant_role(u.role, account.role, true)
      from portolan.users u where u.name = account.user_group;
    end if;
    if account.superuser then
      perform portolan.grant_role(portolan.role_name('owner'), account.role, true);
    end if;
  end if;
  for v_login in
    select l.role from portolan.logins l join pg_roles r on r.rolname = l.role where not r.rolsuper
  loop
    perform portolan.grant_role(account.role, v_login, false);
  end loop;
end
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
  pg_catalog.has_schema_privilege(%2$s::oid, 'usage') as usage,
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

CREATE FUNCTION portolan.list_clients(ids text[] DEFAULT NULL::text[]) RETURNS TABLE(id text, name text, redirect_uri text[], homepage text, description text, public boolean, confirm boolean, grants text[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform portolan.existing_client(wanted.id) from unnest(ids) wanted (id);
  return query
    select c.id, c.name, c.redirect_uri, c.homepage, c.description, c.public, c.confirm, c.grants
    from portolan.clients c
    where ids is null or c.id = any (ids)
    order by c.id;
end
$$;

COMMENT ON FUNCTION portolan.list_clients(ids text[]) IS 'The OAuth clients of these ids, or all that there are.';

CREATE FUNCTION portolan.list_rasters() RETURNS TABLE(schema text, "table" text, file text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select n.nspname::text, c.relname::text, r.file
  from portolan.rasters r join pg_class c on c.oid = r.relation join pg_namespace n on n.oid = c.relnamespace
  order by n.nspname, c.relname
$$;

COMMENT ON FUNCTION portolan.list_rasters() IS 'All rasters.';

CREATE TABLE portolan.logins (
    role text NOT NULL,
    registered_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE UNLOGGED TABLE portolan.own_sessions (
    pid integer NOT NULL,
    started timestamp with time zone NOT NULL,
    ip inet
);

CREATE VIEW portolan.me WITH (security_barrier='true') AS
 SELECT u.name,
    u.role,
    u.superuser,
    u.user_group,
    u.email,
    u.properties,
        CASE
            WHEN s.shared THEN COALESCE(NULLIF(current_setting('portolan.service'::text, true), ''::text), 'other'::text)
            ELSE 'sql'::text
        END AS service,
        CASE
            WHEN s.shared THEN (NULLIF(current_setting('portolan.ip'::text, true), ''::text))::inet
            ELSE ( SELECT o.ip
               FROM portolan.own_sessions o
              WHERE ((o.pid = pg_backend_pid()) AND (o.started = ( SELECT a.backend_start
                       FROM pg_stat_get_activity(pg_backend_pid()) a(datid, pid, usesysid, application_name, state, query, wait_event_type, wait_event, xact_start, query_start, backend_start, state_change, client_addr, client_hostname, client_port, backend_xid, backend_xmin, backend_type, ssl, sslversion, sslcipher, sslbits, ssl_client_dn, ssl_client_serial, ssl_issuer_dn, gss_auth, gss_princ, gss_enc, leader_pid, query_id)))))
        END AS ip
   FROM (( SELECT (EXISTS ( SELECT
                   FROM portolan.logins l
                  WHERE (l.role = SESSION_USER))) AS shared) s
     JOIN portolan.users u ON (((u.role =
        CASE
            WHEN s.shared THEN CURRENT_USER
            ELSE SESSION_USER
        END) AND ((NOT s.shared) OR (COALESCE(NULLIF(current_setting('portolan.user'::text, true), ''::text), u.name) = u.name)))));

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

CREATE FUNCTION portolan.mark_leakproof() RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_function regprocedure;
  v_all boolean := true;
begin
  for v_function in
    select p.oid::regprocedure
    from pg_proc p
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
    where p.proname in ('geometry_overlaps', 'geography_overlaps') and not p.proleakproof
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

COMMENT ON FUNCTION portolan.mark_leakproof() IS 'Marks the box comparison of PostGIS as leakproof.';

CREATE FUNCTION portolan.missing_owner_rights(schemas text[]) RETURNS TABLE(statement text, relation regclass)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_owner text := portolan.role_name('owner');
begin
  return query
  select format('grant usage on schema %I to %I', n.nspname, v_owner), null::regclass
  from pg_namespace n
  where n.nspname = any (schemas) and not has_schema_privilege(v_owner, n.oid, 'usage')
  union all
  select format('grant select, insert, update, delete on table %s to %I', c.oid::regclass, v_owner),
    case when c.relkind in ('r', 'p', 'f') then c.oid::regclass end
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
  begin
    perform portolan.join_roles(after);
  exception
    when invalid_grant_operation then
      raise exception 'the group "%" is a member of "%" itself', after.user_group, after.name using errcode = 'PX409';
  end;
end
$$;

COMMENT ON FUNCTION portolan.move_roles(before portolan.users, after portolan.users) IS 'Changes the memberships of an account''s role with its group and superuser.';

CREATE FUNCTION portolan.new_secret() RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex')
$$;

COMMENT ON FUNCTION portolan.new_secret() IS 'A text that nobody can guess.';

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
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into portolan.shapes (relation, stamp, attnums, names, types)
  select
    note_shape.relation,
    k.stamp,
    array_agg(a.attnum order by a.attnum),
    array_agg(a.attname::text order by a.attnum),
    array_agg(a.atttypid order by a.attnum)
  from pg_catalog.pg_attribute a, portolan.shape_stamp(note_shape.relation) k (stamp)
  where a.attrelid = note_shape.relation and a.attnum > 0 and not a.attisdropped
    and not exists (
      select from portolan.shapes s where s.relation = note_shape.relation and s.stamp = k.stamp)
  group by k.stamp
$$;

COMMENT ON FUNCTION portolan.note_shape(relation oid) IS 'Keeps what the columns of a table are now.';

CREATE FUNCTION portolan.one_at_a_time() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  lock table portolan.migrations in share row exclusive mode;
end
$$;

COMMENT ON FUNCTION portolan.one_at_a_time() IS 'Waits for other transactions that change accounts or rights.';

CREATE FUNCTION portolan.own_login(name text, verifier text, version integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if not v_user.role_made then
    raise exception 'the role of "%" was not made by Portolan and cannot log in for it', v_user.name
      using errcode = 'PX403';
  end if;
  if verifier !~ '^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' then
    raise exception 'not a SCRAM verifier' using errcode = 'PX400';
  end if;
  execute format('alter role %I login password %L connection limit 3', v_user.role, verifier);
  update portolan.users u set own_login_version = version where u.name = v_user.name;
end
$_$;

COMMENT ON FUNCTION portolan.own_login(name text, verifier text, version integer) IS 'Lets the role of an account log in for SQL that it wrote.';

CREATE FUNCTION portolan.planned_stamp(relation oid) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
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
    true, p.last, p.id, p.xid::text, extract(epoch from o.at)::float8 * 1000, p.root, o.relation, o.shape, o.operation,
    o.depth, array_to_json(o.old)::text, array_to_json(o.new)::text, p.size::bigint, p.final, p.more
  from page p
    join portolan.outbox o on o.ctid = p.place -- in one statement a row stays where it is
  order by p.last, p.id;
end
$$;

COMMENT ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) IS 'The change events of one batch, in order of delivery.';

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

CREATE FUNCTION portolan.register_login(login text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_function regprocedure;
begin
  if to_regrole(quote_ident(login)) is null then
    raise exception 'there is no role "%"', login using errcode = 'PX404';
  end if;
  insert into portolan.logins (role) values (login) on conflict do nothing;
  if login = current_user then
    return;
  end if;
  execute format('grant usage on schema portolan to %I', login);
  execute format('grant select on portolan.users, portolan.logins, portolan.generations, portolan.migrations, portolan.code to %I', login);
  execute format('grant select (kid, alg, public_jwk, created_at, retired_at) on portolan.signing_keys to %I', login);
  execute format('grant select on portolan.clients, portolan.token_families, portolan.one_time_links to %I', login);
  execute format('grant select (id, rotated_at) on portolan.refresh_tokens to %I', login);
  execute format('grant insert on portolan.authorization_codes, portolan.audit to %I', login);
  execute format('grant select, insert, update on portolan.device_requests, portolan.consents to %I', login);
  execute format('grant select, insert, delete on portolan.sessions to %I', login);
  execute format('grant select on portolan.event_reader, portolan.event_tables to %I', login);
  execute format('grant select on portolan.styles, portolan.rasters to %I', login);
  foreach v_function in array array[
    'portolan.attempt(text, text, text, boolean)',
    'portolan.start_family(uuid, uuid, text, text, text, bigint, integer, integer)',
    'portolan.use_code(text, text, text, text, uuid, uuid, integer, integer)',
    'portolan.rotate_refresh_token(uuid, uuid, text, uuid, text, integer, integer)',
    'portolan.poll_device(text, text, uuid, uuid, integer, integer)', 'portolan.revoke_family(uuid, text, text, timestamptz)',
    'portolan.redeem_link(text, text, text)', 'portolan.rehash_password(text, text, text)',
    'portolan.clear_expired(integer)', 'portolan.secrets()', 'portolan.catalogue(text[])', 'portolan.exposed_schemas()', 'portolan.note_schemas(text[])',
    'portolan.sync_events(text[], boolean)', 'portolan.take_lease(bigint, timestamptz)', 'portolan.release_lease(bigint)',
    'portolan.set_asleep(boolean)', 'portolan.cut_batch(bigint)', 'portolan.event_log(bigint, integer, oid[])',
    'portolan.read_batch(bigint, oid[], bigint, bigint, bigint)',
    'portolan.clear_events(double precision, double precision)', 'portolan.event_table(text, text, oid)',
    'portolan.event_shape(oid, bigint)', 'portolan.event_rights(text[], oid[])',
    'portolan.share_with_owner(text[])', 'portolan.collections(text[])', 'portolan.own_login(text, text, integer)',
    'portolan.bind_own_session(integer, inet)']::regprocedure[]
  loop
    execute format('grant execute on function %s to %I', v_function, login);
  end loop;
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
  perform portolan.drop_event_triggers(m.member)
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
  v_user portolan.users;
  v_function regprocedure;
begin
  if to_regrole(quote_ident(v_owner)) is null then
    execute format('create role %I nologin', v_owner);
  end if;
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

  foreach v_function in array array[
    'portolan.create_user(text, text, text, text, jsonb, boolean)', 'portolan.drop_user(text)',
    'portolan.set_password(text, text)', 'portolan.set_privilege(regclass, text, text)',
    'portolan.set_authentication(regclass, text)', 'portolan.update_user(text, jsonb)',
    'portolan.relation_of(text, text)', 'portolan.privileges_of(regclass)',
    'portolan.authentication_of(regclass)', 'portolan.enable_events(regclass)', 'portolan.disable_events(regclass)',
    'portolan.create_client(text, text, text[], boolean, boolean, text[], text, text)',
    'portolan.update_client(text, jsonb)', 'portolan.drop_client(text)', 'portolan.set_client_secret(text)',
    'portolan.list_clients(text[])', 'portolan.invite_user(text, interval)',
    'portolan.set_style(regclass, jsonb)', 'portolan.style_of(regclass)',
    'portolan.create_raster(text, text, text)', 'portolan.update_raster(text, text, text)',
    'portolan.drop_raster(text, text)', 'portolan.list_rasters()']::regprocedure[]
  loop
    execute format('grant execute on function %s to %I', v_function, v_owner);
  end loop;

  if regrant then
    perform portolan.apply_privilege(p.relation, u.role, p.privilege)
    from portolan.privileges p join portolan.users u on u.name = p.user_name
    where exists (select from pg_class c where c.oid = p.relation);
    perform portolan.apply_authentication(a.relation, a.level)
    from portolan.authentication a
    where exists (select from pg_class c where c.oid = a.relation);
  end if;
  -- trigger functions are made for each table: another version of Portolan, or a restore, makes them anew
  perform portolan.install_events(t.relation)
  from portolan.event_tables t
  where t.active and exists (select from pg_class c where c.oid = t.relation)
    and exists (
      select from unnest(portolan.event_members(t.relation)) m where portolan.event_trigger_count(m) < 4);
  perform portolan.mark_leakproof();
end
$$;

COMMENT ON FUNCTION portolan.repair_roles(regrant boolean) IS 'Makes the roles, memberships and grants that the tables of Portolan speak of.';

CREATE FUNCTION portolan.request_context() RETURNS portolan.me
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select m from portolan.me m
$$;

COMMENT ON FUNCTION portolan.request_context() IS 'The account behind this session: name, role, superuser, user_group, email, properties, service and ip.';

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
  perform portolan.apply_authentication(relation, level);
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
  perform portolan.apply_privilege(relation, v_user.role, privilege);
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

CREATE FUNCTION portolan.shape_stamp(relation oid) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select bit_xor(a.attnum::bigint * 65599 * a.atttypid::bigint)
  from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0
$$;

COMMENT ON FUNCTION portolan.shape_stamp(relation oid) IS 'A number that changes with the columns of a table and their types.';

CREATE FUNCTION portolan.share_with_owner(schemas text[]) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_schemas text[] := array(
    select s from unnest(schemas) s where s !~ '^pg_' and s not in ('information_schema', 'portolan'));
  v_missing record;
begin
  if not exists (select from portolan.missing_owner_rights(v_schemas)) then
    return;
  end if;
  perform portolan.one_at_a_time();
  for v_missing in select m.statement, m.relation from portolan.missing_owner_rights(v_schemas) m loop
    begin
      -- GRANT takes no lock of its own, and whoever alters the table at the moment would fail with "tuple concurrently updated"
      if v_missing.relation is not null then
        execute format('lock table %s in access share mode', v_missing.relation);
      end if;
      execute v_missing.statement;
    exception
      when insufficient_privilege or lock_not_available then null; -- told below
      when undefined_table or undefined_function or undefined_object then null; -- dropped meanwhile
    end;
  end loop;
  -- looked at again: a GRANT without the right to it may be no more than a warning
  return query select m.statement from portolan.missing_owner_rights(v_schemas) m;
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

CREATE FUNCTION portolan.tg__audit_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_old jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_new jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  v_subject jsonb := coalesce(v_new, v_old);
  v_changed jsonb;
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
  insert into portolan.audit (event, account, client_id, address, details)
  values (
    tg_argv[0] || case tg_op when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.removed' end,
    case tg_argv[0] when 'user' then v_subject ->> 'name' end,
    case tg_argv[0] when 'client' then v_subject ->> 'id' end,
    nullif(current_setting('portolan.ip', true), ''),
    jsonb_strip_nulls(jsonb_build_object(
      'by', case
        when exists (select from portolan.logins l where l.role = session_user)
          then coalesce(nullif(current_setting('portolan.user', true), ''), session_user)
        else session_user
      end,
      'changed', v_changed)));
  return null;
end
$$;

COMMENT ON FUNCTION portolan.tg__audit_change() IS 'Notes in the audit that an account or client was changed.';

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
  if new.public then
    new.secret_hash := null;
  end if;
  return new;
end
$$;

COMMENT ON FUNCTION portolan.tg_clients__check() IS 'Keeps a client true, whoever writes the row.';

CREATE FUNCTION portolan.transform_bounds(bounds double precision[], from_srid integer, to_srid integer) RETURNS double precision[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_postgis text;
  v_result float8[];
begin
  select n.nspname into v_postgis
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'postgis';
  execute format(
    $sql$
    select array[%1$I.st_xmin(b), %1$I.st_ymin(b), %1$I.st_xmax(b), %1$I.st_ymax(b)]
    from (
      select %1$I.st_transform(%1$I.st_segmentize(
        %1$I.st_makeenvelope($1[1], $1[2], $1[3], $1[4], $2),
        greatest($1[3] - $1[1], $1[4] - $1[2]) / 32), $3) as b
    ) x
    $sql$, v_postgis)
  into v_result using bounds, from_srid, to_srid;
  return v_result;
exception
  when others then
    if sqlstate like '57%' then
      raise;
    end if;
    return null;
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
    'name', 'redirect_uri', 'homepage', 'description', 'public', 'confirm', 'grants', 'refresh_reuse',
    'access_token_lifetime_seconds', 'refresh_token_lifetime_seconds', 'code_lifetime_seconds',
    'device_code_lifetime_seconds', 'device_poll_interval_seconds');
  if v_unknown is not null then
    raise exception 'a client has no % that could be changed', v_unknown using errcode = 'PX400';
  end if;
  v_client := jsonb_populate_record(v_client, changes);
  if not v_client.grants <@ array['authorization_code', 'refresh_token', 'device_code', 'password'] then
    raise exception 'a grant is authorization_code, refresh_token, device_code or password' using errcode = 'PX400';
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
    access_token_lifetime_seconds = v_client.access_token_lifetime_seconds,
    refresh_token_lifetime_seconds = v_client.refresh_token_lifetime_seconds,
    code_lifetime_seconds = v_client.code_lifetime_seconds,
    device_code_lifetime_seconds = v_client.device_code_lifetime_seconds,
    device_poll_interval_seconds = v_client.device_poll_interval_seconds
  where c.id = v_client.id;
end
$$;

COMMENT ON FUNCTION portolan.update_client(id text, changes jsonb) IS 'Changes members of an OAuth client; what is not named stays.';

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

CREATE SEQUENCE portolan.asleep
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    NO MAXVALUE
    CACHE 1;

CREATE TABLE portolan.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    event text NOT NULL,
    account text,
    client_id text,
    address text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);

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
    applied_at timestamp with time zone DEFAULT now() NOT NULL
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

CREATE TABLE portolan.generations (
    subject text NOT NULL,
    generation bigint DEFAULT 0 NOT NULL
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
    locked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

CREATE TABLE portolan.migrations (
    id text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
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

ALTER TABLE portolan.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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

CREATE TABLE portolan.sessions (
    hash text NOT NULL,
    user_name text NOT NULL,
    token_version bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
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

ALTER TABLE ONLY portolan.generations
    ADD CONSTRAINT generations_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY portolan.known_addresses
    ADD CONSTRAINT known_addresses_pkey PRIMARY KEY (user_name, address);

ALTER TABLE ONLY portolan.lockouts
    ADD CONSTRAINT lockouts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY portolan.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (role);

ALTER TABLE ONLY portolan.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

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

ALTER TABLE ONLY portolan.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

ALTER TABLE ONLY portolan.styles
    ADD CONSTRAINT styles_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (name);

CREATE INDEX audit_at ON portolan.audit USING btree (at);

CREATE INDEX authorization_codes_client_id ON portolan.authorization_codes USING btree (client_id);

CREATE INDEX authorization_codes_expires_at ON portolan.authorization_codes USING btree (expires_at);

CREATE INDEX authorization_codes_family ON portolan.authorization_codes USING btree (family);

CREATE INDEX authorization_codes_user_name ON portolan.authorization_codes USING btree (user_name);

CREATE INDEX consents_client_id ON portolan.consents USING btree (client_id);

CREATE INDEX device_requests_client_id ON portolan.device_requests USING btree (client_id);

CREATE INDEX device_requests_expires_at ON portolan.device_requests USING btree (expires_at);

CREATE INDEX device_requests_family ON portolan.device_requests USING btree (family);

CREATE INDEX device_requests_user_name ON portolan.device_requests USING btree (user_name);

CREATE INDEX known_addresses_signed_in_at ON portolan.known_addresses USING btree (signed_in_at);

CREATE INDEX lockouts_last_failure_at ON portolan.lockouts USING btree (last_failure_at);

CREATE INDEX one_time_links_user_name ON portolan.one_time_links USING btree (user_name);

CREATE INDEX outbox_xid ON portolan.outbox USING btree (xid);

CREATE INDEX privileges_user_name ON portolan.privileges USING btree (user_name);

CREATE INDEX refresh_tokens_family ON portolan.refresh_tokens USING btree (family);

CREATE INDEX refresh_tokens_rotated_at ON portolan.refresh_tokens USING btree (rotated_at) WHERE (rotated_at IS NOT NULL);

CREATE INDEX sessions_expires_at ON portolan.sessions USING btree (expires_at);

CREATE INDEX sessions_user_name ON portolan.sessions USING btree (user_name);

CREATE INDEX shapes_relation_stamp ON portolan.shapes USING btree (relation, stamp);

CREATE INDEX token_families_client_id ON portolan.token_families USING btree (client_id);

CREATE INDEX token_families_expires_at ON portolan.token_families USING btree (expires_at);

CREATE INDEX token_families_user_name ON portolan.token_families USING btree (user_name);

CREATE INDEX users_role ON portolan.users USING btree (role);

CREATE INDEX users_user_group ON portolan.users USING btree (user_group);

CREATE TRIGGER _100_check_client BEFORE INSERT OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg_clients__check();

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('client');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.users FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('user');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.clients FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('clients');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.rasters FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('maps');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.signing_keys FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('keys');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.styles FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('maps');

CREATE TRIGGER _900_bump_generation AFTER UPDATE OF revoked_at ON portolan.token_families FOR EACH ROW WHEN (((new.revoked_at IS NOT NULL) AND (old.revoked_at IS NULL))) EXECUTE FUNCTION portolan.tg__bump_generation('tokens');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.users FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('accounts');

CREATE TRIGGER _900_bump_generation_of_new AFTER INSERT ON portolan.token_families FOR EACH ROW WHEN ((new.revoked_at IS NOT NULL)) EXECUTE FUNCTION portolan.tg__bump_generation('tokens');

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_family_fkey FOREIGN KEY (family) REFERENCES portolan.token_families(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

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

GRANT USAGE ON SCHEMA portolan TO PUBLIC;
GRANT USAGE ON SCHEMA portolan TO gateway;

REVOKE ALL ON FUNCTION portolan.account_name(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.adopt_role(name text, role text, password text, email text, properties jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.apply_authentication(relation regclass, level text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.authentication_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.authentication_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.bind_own_session(pid integer, ip inet) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.bind_own_session(pid integer, ip inet) TO gateway;

REVOKE ALL ON FUNCTION portolan.catalogue(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.catalogue(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.check_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_raster_file(file text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_relation(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style(relation regclass, style jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_members(relation regclass, object text, value jsonb, path text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_operand(relation regclass, column_name text, kind text, operator text, operand jsonb, path text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_value(relation regclass, kind jsonb, value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.clear_event_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) TO gateway;

REVOKE ALL ON FUNCTION portolan.clear_expired(audit_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.clear_expired(audit_days integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.collections(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.collections(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.cut_batch(own_term bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.cut_batch(own_term bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.disable_events(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_events(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_client(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_client(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_event_triggers(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_raster(schema_name text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_raster(schema_name text, table_name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_user(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_user(name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.enable_events(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.enable_events(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.event_comment(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_log(after bigint, most integer, tables oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_log(after bigint, most integer, tables oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_members(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_rights(roles text[], tables oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_rights(roles text[], tables oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_shape(relation oid, stamp bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_shape(relation oid, stamp bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid) TO gateway;

REVOKE ALL ON FUNCTION portolan.event_tables_to_change(schemas text[], everything boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_trigger_body(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.event_trigger_count(relation oid) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.users TO gateway;

REVOKE ALL ON FUNCTION portolan.existing_account(name text) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.clients TO gateway;

REVOKE ALL ON FUNCTION portolan.existing_client(id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.existing_raster(schema_name text, table_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.exposed_schemas() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.exposed_schemas() TO gateway;

REVOKE ALL ON FUNCTION portolan.grant_role(role text, member text, inherit boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hash_password(password text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.invite_user(name text, lifetime interval) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.invite_user(name text, lifetime interval) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.is_redirect_uri(uri text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.join_roles(account portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.judge_sql(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.list_clients(ids text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_clients(ids text[]) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_rasters() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_rasters() TO "owner@database";

GRANT SELECT ON TABLE portolan.logins TO gateway;

GRANT SELECT ON TABLE portolan.me TO PUBLIC;

GRANT SELECT ON TABLE portolan.visible_users TO PUBLIC;

REVOKE ALL ON FUNCTION portolan.mark_leakproof() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.missing_owner_rights(schemas text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.move_roles(before portolan.users, after portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.new_secret() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_schemas(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_schemas(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_shape(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.one_at_a_time() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.own_login(name text, verifier text, version integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.own_login(name text, verifier text, version integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.planned_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.privileges_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.privileges_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.register_login(login text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.relation_of(schema_name text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.relation_of(schema_name text, table_name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.release_lease(own_term bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.release_lease(own_term bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.remove_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.repair_roles(regrant boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) TO gateway;

REVOKE ALL ON FUNCTION portolan.role_name(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.rotate_signing_key(kid text, public_jwk jsonb, private_jwk jsonb, at_once boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.secrets() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.secrets() TO gateway;

REVOKE ALL ON FUNCTION portolan.set_asleep(asleep boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_asleep(asleep boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.set_authentication(relation regclass, level text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_authentication(relation regclass, level text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_client_secret(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_client_secret(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_password(name text, password text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_password(name text, password text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_style(relation regclass, style jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_style(relation regclass, style jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.shape_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.share_with_owner(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.share_with_owner(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.shown_schemas() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.style_column(relation regclass, name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.style_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.style_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.sync_events(schemas text[], everything boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sync_events(schemas text[], everything boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) TO gateway;

REVOKE ALL ON FUNCTION portolan.tg__audit_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__bump_generation() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_clients__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.update_client(id text, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_client(id text, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_user(name text, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_user(name text, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer) TO gateway;

GRANT INSERT ON TABLE portolan.audit TO gateway;

GRANT INSERT ON TABLE portolan.authorization_codes TO gateway;

GRANT SELECT ON TABLE portolan.code TO gateway;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.consents TO gateway;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.device_requests TO gateway;

GRANT SELECT ON TABLE portolan.event_reader TO gateway;

GRANT SELECT ON TABLE portolan.event_tables TO gateway;

GRANT SELECT ON TABLE portolan.generations TO gateway;

GRANT SELECT ON TABLE portolan.migrations TO gateway;

GRANT SELECT ON TABLE portolan.one_time_links TO gateway;

GRANT SELECT ON TABLE portolan.rasters TO gateway;

GRANT SELECT(id) ON TABLE portolan.refresh_tokens TO gateway;

GRANT SELECT(rotated_at) ON TABLE portolan.refresh_tokens TO gateway;

GRANT SELECT,INSERT,DELETE ON TABLE portolan.sessions TO gateway;

GRANT SELECT(kid) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(alg) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(public_jwk) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(created_at) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(retired_at) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT ON TABLE portolan.styles TO gateway;

GRANT SELECT ON TABLE portolan.token_families TO gateway;
