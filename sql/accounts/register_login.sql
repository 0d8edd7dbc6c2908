-- Makes a login role the gateway's: it may read what the gateway needs and change to the roles of accounts.
-- Called by the migration runner, for the role of DATABASE_URL. Raises PX404.
create or replace function portolan.register_login(login text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
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
  execute format('grant select on portolan.history_schemas to %I', login);
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
    'portolan.follow_ddl()', 'portolan.refusing_relations()', 'portolan.access_findings()',
    'portolan.share_with_owner(text[])', 'portolan.collections(text[])',
    'portolan.own_login(text, text, integer, integer)', 'portolan.runner_login(text, integer)',
    'portolan.runner_role()', 'portolan.bind_own_session(integer, text, inet, text)',
    'portolan.note_method_types(text, text, json, json, oid[])', 'portolan.type_catalogue(oid[])',
    'portolan.base_tables(oid[])', 'portolan.versioned_relations()', 'portolan.workflow_relations()']::regprocedure[]
  loop
    execute format('grant execute on function %s to %I', v_function, login);
  end loop;
end
$$;

comment on function portolan.register_login(text) is 'Makes a login role the gateway''s.';

revoke execute on function portolan.register_login(text) from public;
