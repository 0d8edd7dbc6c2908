-- The rights of an account on a relation, and their reasons: one row for each grant, policy or rule that counts, in the
-- order in which PostgreSQL applies them. applies: yes, no, or the condition. Raises PX400, PX404.
create or replace function portolan.explain_access(user_name text, relation regclass)
  returns table (subject text, name text, applies text, meaning text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read accounts and rules
as $$
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
  v_groups := array(select g.name from unnest(portolan.groups_of(v_user.name)) g (name) order by g.name);

  return query select 'account', v_user.name, 'yes', concat_ws(', ',
    format('acts as the role %s', v_user.role),
    'member of ' || nullif(array_to_string(v_groups, ' and '), ''),
    case when v_user.superuser then 'super user: no rule applies to it' end);
  return query
    select 'grant', format('usage on schema %s', v_class.schema),
      case when has_schema_privilege(v_user.role, v_class.schema, 'usage') then 'yes' else 'no' end,
      'without it nothing in the schema is accessible';
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
        '%s %s for %s, priority %s%s%s%s',
        case m.access when 'a' then 'allows' when 'd' then 'denies' else 'limits' end, m.commands,
        (select r.username from portolan.rules r where r.id = m.id), m.priority,
        ' where ' || (select r.filter from portolan.rules r where r.id = m.id),
        case when m.mfa then '; it denies a session without a second factor' end,
        case when v_user.superuser then '; it binds no super user' when not m.named then '; it is for others' end)
    from (
      select r.id, r.priority, r.service, r.network, r.access, r.mfa,
        string_agg(case r.command when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
          ', ' order by position(r.command in 'rawd')) as commands,
        coalesce(
          r.username is null or v_user.name like r.username
            or exists (select from unnest(v_groups) g (name) where g.name like r.username), false) as named
      from portolan.rule_map r
      where r.relation = explain_access.relation
      group by r.id, r.priority, r.service, r.network, r.access, r.username, r.mfa
    ) m
    order by m.priority, m.id;
  if not v_class.relrowsecurity then
    return query select 'row security', explain_access.relation::text, 'no', case
      when v_class.relkind in ('v', 'm', 'f') then 'it cannot have policies; doctor reports if it shows more than its tables do'
      else 'it is off: each account with a grant sees every row' end;
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
        else 'a row passes if one permissive policy and all restrictive ones allow it' end;
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
      s.problem, 'rules apply to it, but it lacks their policies: interfaces refuse it')
    from portolan.unprotected_relations() u
      left join portolan.row_security s on s.relation = u.relation
    where u.relation = explain_access.relation;
end
$$;
