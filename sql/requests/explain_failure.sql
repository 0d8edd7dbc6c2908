-- The reason why a request failed, in the form of explain_request for a super user, or for the account itself.
create or replace function portolan.explain_failure(request portolan.requests, is_super boolean) returns jsonb
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass := portolan.named_relation(request.relation);
  v_error text := coalesce(request.error, '');
  v_policy text := substring(v_error from 'row-level security policy "([^"]+)"');
  v_rules text[] := string_to_array(substring(v_policy from '^portolan_rules_(\d+(?:_\d+)*)_'), '_');
  v_object text := substring(v_error from 'permission denied for ((?:schema|sequence|function|procedure) .+)$');
  v_by text;
  v_reasons jsonb := '[]';
begin
  v_by := case
    when request.code is distinct from 'FORBIDDEN' then null
    when v_rules is not null or v_error ~ '\ma rule (denies|limits)' then 'rule'
    when v_policy like 'portolan\_workflow%' or v_error ~ 'takes the role' then 'workflow'
    when v_error ~ 'violates row-level security policy' then 'policy'
    when v_error ~ 'permission denied' then 'grant'
  end;
  if v_by is not null and v_relation is not null and exists (
    select from portolan.users u where u.name = coalesce(request.account, 'anonymous') and to_regrole(quote_ident(u.role)) is not null)
  then
    select coalesce(jsonb_agg(jsonb_build_object(
      'subject', a.subject, 'name', a.name, 'applies', a.applies, 'meaning', a.meaning,
      'decides', case v_by
        when 'grant' then a.subject = 'grant' and a.applies <> 'yes'
          and (request.commands is null or a.name = any (request.commands))
        when 'rule' then a.subject = 'rule' and case
          when v_rules is not null then a.name = any (v_rules) else a.applies <> 'no' and a.meaning like 'denies %' end
        when 'policy' then case
          when v_policy is not null then a.name = v_policy
          else a.subject = 'policy' and a.applies = 'yes' -- PostgreSQL does not name a permissive policy
        end
        else a.subject = 'workflow'
      end)), '[]')
    into v_reasons
    from portolan.explain_access(coalesce(request.account, 'anonymous'), v_relation) a
    where a.subject <> 'account'
      and (is_super or a.subject in ('grant', 'workflow') or a.applies <> 'no');
  elsif v_object is not null then
    v_reasons := jsonb_build_array(jsonb_build_object(
      'subject', 'grant', 'name', case when v_object ~ '^(schema|sequence)' then 'usage' else 'execute' end || ' on ' || v_object,
      'applies', 'no', 'meaning', case when v_object like 'schema%' then 'without it nothing in the schema is accessible' else '' end,
      'decides', true));
  end if;
  return jsonb_build_object(
    'code', request.code, 'relation', request.relation,
    'schema', (
      select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = v_relation),
    'table', (select c.relname from pg_class c where c.oid = v_relation), 'error', request.error, 'error_id', request.error_id, 'decided_by', v_by,
    'reasons', v_reasons,
    'may_change', case
      when v_by in ('grant', 'policy') and v_relation is not null then concat('the owner of the table', case when is_super then
        (select format(' (%s)', pg_get_userbyid(c.relowner)) from pg_class c where c.oid = v_relation) end, ' and super users')
      when v_by is not null then 'super users'
    end,
    'super_users', case when is_super and v_by is not null then
      (select coalesce(jsonb_agg(u.name), '[]') from (select u.name from portolan.users u where u.superuser order by u.name limit 20) u)
    end);
end
$$;
