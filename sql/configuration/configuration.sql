-- The settings that an operator makes in this database, as one JSON document without secrets: accounts, clients, rules,
-- methods, rasters, maps, queries, dashboards, views and the settings of tables, each by its name. GET /configuration,
-- `portolan export`.
create or replace function portolan.configuration() returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read all of it
as $$
  with settings (relation, name, value) as (
    select a.relation, 'authentication', to_jsonb(a.level) from portolan.authentication a
    union all
    select p.relation, 'privileges', jsonb_object_agg(p.user_name, p.privilege) from portolan.privileges p group by 1
    union all
    select t.relation, 'column_privileges', jsonb_object_agg(t.subuser, t.columns)
    from (
      select c.oid::regclass as relation, p.subuser, jsonb_object_agg(p."column", p.privileges) as columns
      from pg_class c cross join lateral portolan.column_privileges_of(c.oid) p
      where c.oid in (select a.attrelid from pg_attribute a where a.attacl is not null and a.attrelid >= 16384)
        and c.relnamespace::regnamespace::text = any ((select portolan.shown_schemas())::text[])
      group by 1, 2) t
    group by 1
    union all
    select s.relation, 'style', s.style from portolan.styles s where s.name = 'default'
    union all
    select s.relation, 'styles', jsonb_object_agg(
      s.name, jsonb_build_object('classes', s.style, 'title', s.title, 'default', s.is_default))
    from portolan.styles s where s.name <> 'default' group by 1
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
          'email', u.email, 'user_group', portolan.group_member(to_jsonb(u.user_groups)), 'properties', u.properties, 'superuser', u.superuser,
          'default_user', u.default_user, 'email_verified', u.email_verified, 'two_factor', u.two_factor)
        || case when u.allow_signup is null then '{}' else jsonb_build_object('allow_signup', u.allow_signup) end
        || case when u.social_signup is null then '{}' else jsonb_build_object('social_signup', u.social_signup) end
        || case when u.role_made then '{}' else jsonb_build_object('role', u.role) end)
      from portolan.users u
      where u.name <> 'anonymous'), '{}'),
    'clients', coalesce((
      select jsonb_object_agg(c.id, to_jsonb(c)
        - '{id,secret_hash,created_at,origin,metadata,registration_hash,registered_from,imposed}'::text[]
        -- it follows the address of each service
        - case when c.id = 'portolan-console' then 'redirect_uri' else '' end)
      from portolan.clients c
      where c.origin = 'administrator'), '{}'), -- others describe themselves
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
    || portolan.saved_configuration()
$$;
