-- Every right on Portolan's own objects that public, owner@ and the gateway's logins need, and no other: what is not here is
-- the owner's only. This is the one list: rights_to_mend compares it with the catalogue, a migration grants what is missing
-- and revokes the rest, and doctor names both. A code file has no grant or revoke of its own. To let somebody call a new
-- function, add it here, one line a name, sorted.
create or replace function portolan.wanted_rights() returns table (
  catalogue oid, object oid, attnum integer, grantee oid, privilege text
)
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with roles (audience, grantee) as (
    select 'public', 0::oid
    union all
    select 'owner', r.oid from pg_roles r where r.rolname = portolan.role_name('owner')
    union all
    select 'gateway', r.oid
    from portolan.logins l join pg_roles r on r.rolname = l.role
    where l.kind = 'gateway'
      and r.oid <> (select n.nspowner from pg_namespace n where n.oid = 'portolan'::regnamespace)
    union all
    select 'pool', r.oid from pg_roles r where r.rolname = portolan.pool_role()
  ), relations (audience, privileges, relations, columns) as (
    values
      ('public', '{SELECT}'::text[], array[
        'log_run', 'me', 'method_generation', 'my_groups', 'my_rules', 'my_workflow', 'rule_generation', 'ruled_commands',
        'visible_sessions', 'visible_users'],
        null::name[]),
      ('public', '{SELECT, DELETE}', '{methods}', null),
      ('public', '{INSERT}', '{methods}', '{
        method, q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, published}'),
      ('public', '{UPDATE}', '{methods}', '{
        q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, published}'),
      ('gateway', '{SELECT}', '{
        users, logins, generations, migrations, code, clients, token_families, one_time_links, known_addresses, event_reader,
        event_tables, styles, rasters, history_schemas, jobs, timeline}', null),
      ('gateway', '{SELECT}', '{signing_keys}', '{kid, alg, public_jwk, created_at, retired_at}'),
      ('gateway', '{SELECT}', '{refresh_tokens}', '{id, rotated_at}'),
      ('gateway', '{INSERT}', '{authorization_codes, audit}', null),
      ('gateway', '{SELECT, INSERT, UPDATE}', '{device_requests, consents}', null),
      ('gateway', '{SELECT, INSERT, DELETE}', '{sessions}', null),
      ('gateway', '{SELECT, UPDATE, DELETE}', '{logouts}', null)
  ), routines (audience, name) as (
    select 'public', unnest('{
      access,
      agent_tables,
      base_tables,
      change_account,
      change_job,
      change_own_account,
      change_schema,
      check_access,
      check_read_access,
      claims,
      class_bounds,
      classes,
      column_ddl,
      column_sql,
      column_type,
      constraint_sql,
      create_method,
      data_snapshot,
      default_sql,
      diff,
      drop_method,
      encode_key,
      end_consent,
      end_session,
      list_consents,
      event_version,
      explain_denial,
      fresh_history,
      group_member,
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
      list_jobs,
      list_methods,
      list_tables,
      list_types,
      list_users,
      local_metres,
      merge_patch,
      method_functions,
      method_limits,
      method_problem,
      move_rows,
      note_schema_change,
      nothing_of,
      postgis_schema,
      prop,
      prop_list,
      readable_record,
      refuse_old_rules,
      registered_session,
      relations_stamp,
      request_context,
      restore,
      role_name,
      rule,
      schema_shape,
      spatial_index_sql,
      statement_problem,
      straight_geometry,
      style_column,
      table_ddl,
      table_stamp,
      table_state,
      text_runners,
      transform_bounds,
      try_intersects,
      try_relation,
      try_transform,
      type_ddl,
      undo_insert,
      update_method,
      versioned_since,
      visible_relation,
      volatile_calls,
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
      code_owners,
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
      list_extensions,
      list_rasters,
      list_requests,
      list_rules,
      list_sizes,
      list_statements,
      list_statistics,
      privileges_of,
      registration_token,
      relation_of,
      rule_notes,
      schema_code_owners,
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
    select 'pool', unnest('{require_replayed}'::name[])
    union all
    select 'gateway', unnest('{
      access_findings,
      attempt,
      begin_import,
      bind_map_session,
      bind_own_session,
      catalogue,
      change_registration,
      changed_own_parts,
      clear_events,
      clear_expired,
      code_owners,
      code_reach,
      code_stamp,
      collections,
      cut_batch,
      end_own_sessions,
      end_registration,
      event_log,
      event_rights,
      event_shape,
      event_table,
      exposed_schemas,
      failed_jobs,
      follow_console,
      follow_ddl,
      forgotten_password,
      guest_family,
      has_authors,
      is_restored,
      is_settled,
      is_trusted,
      missing_parts,
      note_client_use,
      note_gateway,
      note_import,
      note_method_types,
      note_requests,
      note_rights,
      note_schemas,
      note_settled,
      note_sign_in,
      note_trust,
      open_doors,
      own_login,
      poll_device,
      pool_login,
      pool_role,
      read_batch,
      redeem_link,
      refusing_relations,
      register_client,
      rehash_password,
      release_lease,
      release_own_session,
      requests_search_path,
      require_replayed,
      revoke_family,
      rights_to_mend,
      rotate_refresh_token,
      row_keys,
      runner_login,
      runner_role,
      secrets,
      search_path_parts,
      set_asleep,
      set_back,
      share_with_owner,
      sign_out,
      start_family,
      state_findings,
      style_problem,
      sync_events,
      take_lease,
      trusted_roles,
      type_catalogue,
      use_code,
      verification_link,
      verify_email,
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
