-- Made by npm run schema:dump on PostgreSQL 15; do not edit.

CREATE SCHEMA portolan;

CREATE FUNCTION portolan.access(relation regclass, request text DEFAULT 'select'::text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.access_findings() RETURNS TABLE(kind text, finding text, remedy text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.account_name(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.actor() RETURNS text
    LANGUAGE plpgsql STABLE;

CREATE FUNCTION portolan.add_comment(relation regclass, key text, body text) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.add_identity(account text, issuer text, subject text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.add_passkey(name text, label text, credential text, public_key text, counter bigint, transports text[], codes text[], address text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.add_totp(name text, secret text, step bigint, codes text[], address text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.add_workflow_history(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.adopt_role(name text, role text, password text DEFAULT NULL::text, email text DEFAULT NULL::text, properties jsonb DEFAULT '{}'::jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.after_shards(tables jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    process integer NOT NULL,
    operation text,
    relation text,
    session text,
    door text GENERATED ALWAYS AS (
CASE
    WHEN (method IS NULL) THEN 'socket'::text
    WHEN (path ~~ '/api/graphql/%'::text) THEN 'graphql'::text
    WHEN (path ~~ '/api/v4/ogc%'::text) THEN 'ogc'::text
    WHEN (path ~~ '/ows/%'::text) THEN 'ows'::text
    WHEN (path ~~ '/mcp%'::text) THEN 'mcp'::text
    WHEN (path ~~ '/api/v4/oauth%'::text) THEN 'oauth'::text
    WHEN (path ~~ '/api/v4/sql%'::text) THEN 'sql'::text
    WHEN (path ~~ '/api/v4/call%'::text) THEN 'methods'::text
    WHEN (path ~~ '/api/v4/%'::text) THEN 'rest'::text
    ELSE 'pages'::text
END) STORED,
    commands text[],
    client text
);

COMMENT ON TABLE portolan.requests IS 'Requests of the last 24 hours, written by the gateways each second; under load not all that went well.';

COMMENT ON COLUMN portolan.requests.session IS 'The sign-in or token of an agent: an id of portolan.agents.';

CREATE FUNCTION portolan.agent_requests(id text, before bigint DEFAULT NULL::bigint, most integer DEFAULT 100) RETURNS SETOF portolan.requests
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.agent_tables(schemas text[], words text[] DEFAULT '{}'::text[]) RETURNS TABLE(schema text, name text, kind text, description text, rights text[], geometry boolean, rows bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.apply_authentication(relation regclass, level text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.apply_change(kind text, name text, member text, before jsonb, after jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.apply_configuration(configuration jsonb, prune boolean DEFAULT false, dry boolean DEFAULT true) RETURNS TABLE(kind text, name text, member text, action text, before jsonb, after jsonb)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.apply_privilege(relation regclass, role text, privilege text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.apply_rule_changes(changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.attempt(kind text, subject text, address text, succeeded boolean DEFAULT NULL::boolean) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.authentication_of(relation regclass) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.author_types(type oid) RETURNS TABLE(oid oid, kind "char")
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.authors() RETURNS SETOF oid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.authors_schemas() RETURNS SETOF oid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.awaits_shards(command text, objects oid[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.backend_started(pid integer) RETURNS timestamp with time zone
    LANGUAGE sql STABLE;

CREATE FUNCTION portolan.base_tables(relations oid[]) RETURNS TABLE(schema text, name text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.base_type(type oid, modifier integer, OUT oid oid, OUT name text) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.before_shards(relation regclass, change jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.begin_download(relation regclass, account text, collection text, format text, seconds integer, OUT id text, OUT job bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.begin_import(relation regclass, account text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.begin_pyramid(id bigint, form text, rights jsonb, srid integer, edge double precision, top double precision, span double precision) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.begin_shards(relation regclass, change jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.begin_sign_in(hash text, user_name text DEFAULT NULL::text, secret text DEFAULT NULL::text, challenge text DEFAULT NULL::text, upstream jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.begin_sign_up(name text, email text, address text) RETURNS TABLE(kind text, account text, token text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.bind_map_session(ticket text, login text, ip inet, account text, service text, claims jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text, service text, claims jsonb) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.called_functions(calls jsonb, relations regclass[], path name[]) RETURNS SETOF oid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_hashagg TO 'off'
    SET enable_material TO 'off';

CREATE FUNCTION portolan.caller_address() RETURNS text
    LANGUAGE plpgsql STABLE;

CREATE FUNCTION portolan.calling_account() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.catalogue(schemas text[]) RETURNS TABLE(schema text, fingerprint text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_account(name text, changes jsonb, verified text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_comment(id bigint, body text, relation regclass DEFAULT NULL::regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_history_column(history regclass, name name, type oid, sql_type text, "collation" text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_job(id bigint, state text, lock_wait interval DEFAULT NULL::interval) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_own_account(name text, changes jsonb, verified text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_registration(id text, members jsonb, metadata jsonb, document boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.change_schema(change jsonb, dry boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.changed_own_parts() RETURNS TABLE(part text, what text, is_code boolean, remedy text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.chart_problem(chart jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_access(relations text[], request text DEFAULT 'select'::text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_client_members(members jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_comment(id bigint, relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    openid_sub uuid DEFAULT gen_random_uuid() NOT NULL,
    openid_seed uuid DEFAULT gen_random_uuid() NOT NULL,
    further_groups text[] DEFAULT '{}'::text[] NOT NULL,
    user_groups text[] GENERATED ALWAYS AS (array_remove((ARRAY[user_group] || further_groups), NULL::text)) STORED NOT NULL,
    default_user boolean DEFAULT false NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    two_factor boolean DEFAULT false NOT NULL,
    allow_signup boolean,
    social_signup boolean,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    email_claimed boolean DEFAULT false NOT NULL,
    CONSTRAINT users_default_user CHECK ((NOT (default_user AND superuser))),
    CONSTRAINT users_email_verified CHECK (((email IS NOT NULL) OR (NOT email_verified))),
    CONSTRAINT users_further_groups CHECK (((further_groups = '{}'::text[]) OR (user_group IS NOT NULL))),
    CONSTRAINT users_group_is_another CHECK ((user_group <> name)),
    CONSTRAINT users_groups_are_others CHECK ((name <> ALL (further_groups))),
    CONSTRAINT users_name_is_legal CHECK (((name ~ '^[a-z_][a-z0-9_-]{0,39}$'::text) AND (name <> 'owner'::text))),
    CONSTRAINT users_properties_is_object CHECK ((jsonb_typeof(properties) = 'object'::text)),
    CONSTRAINT users_role_fits CHECK (((octet_length(role) >= 1) AND (octet_length(role) <= 63)))
);

CREATE FUNCTION portolan.check_default_user(account portolan.users) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_distribution(relation regclass, column_name text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_followed(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_groups(name text, groups text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_raster_file(file text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_read_access(relations oid[]) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_recorded(relation regclass, what text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_relation(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_rule_names(username text, schema text, "table" text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_saved(noun text, names text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_shape_owner(catalogue regclass, object oid) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_shards(relation regclass, change jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_style(relation regclass, style jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_style_members(relation regclass, object text, value jsonb, path text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_style_operand(relation regclass, column_name text, kind text, operator text, operand jsonb, path text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_style_value(relation regclass, kind jsonb, value jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_style_where(relation regclass, filter jsonb, path text, depth integer DEFAULT 1) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_twin(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_versioning(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.check_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.choosing_policy(relation oid) RETURNS name
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE TABLE portolan.pyramids (
    id bigint NOT NULL,
    job bigint,
    relation regclass NOT NULL,
    collection text NOT NULL,
    geometry_column name,
    tile_matrix_set text NOT NULL,
    first_zoom integer NOT NULL,
    last_zoom integer NOT NULL,
    account text NOT NULL,
    form text,
    rights jsonb,
    srid integer,
    shape text,
    snapshot pg_snapshot,
    version bigint DEFAULT 0 NOT NULL,
    tiles bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT pyramids_zoom CHECK (((first_zoom >= 0) AND (first_zoom <= last_zoom) AND (last_zoom <= 24)))
);

CREATE FUNCTION portolan.claim_pyramid() RETURNS SETOF portolan.pyramids
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.claim_request(key text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.claims() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.class_bounds("values" text, method text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.classes(relation regclass, column_name text, most integer DEFAULT 5, method text DEFAULT 'quantile'::text) RETURNS TABLE(lower jsonb, upper jsonb, count bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.clear_event_functions() RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off';

CREATE FUNCTION portolan.clear_expired(audit_days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.close_history(history regclass, at timestamp with time zone, "where" text DEFAULT 'true'::text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.close_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off';

CREATE FUNCTION portolan.close_relation(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.cluster_findings() RETURNS TABLE(finding text, remedy text, is_error boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.code_edges() RETURNS TABLE(source_class oid, source oid, class oid, object oid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.code_in_filter(relation regclass, filter text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.code_in_text() RETURNS TABLE(function oid, class oid, object oid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.code_in_value(type oid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.code_label(class oid, object oid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.code_owners(relation regclass) RETURNS TABLE(owner text, via text, reads boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.code_reach() RETURNS TABLE(kind "char", object oid, plain "char", reads "char", writes "char", reader text, writer text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.code_seeds() RETURNS TABLE(class oid, object oid, level "char", owner oid, why text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.code_stamp() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.collections(schemas text[], plain boolean DEFAULT false) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.column_ddl(change jsonb, relation text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.column_grants(relation regclass, role text, columns jsonb) RETURNS SETOF text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.column_privileges_of(relation regclass) RETURNS TABLE(subuser text, "column" text, privileges text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.column_sql(wanted jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.column_type(type text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.compile(written integer[] DEFAULT NULL::integer[]) RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s';

CREATE FUNCTION portolan.configuration() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean DEFAULT false) RETURNS TABLE(kind text, name text, member text, action text, before jsonb, after jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.configuration_entries(configuration jsonb) RETURNS TABLE(kind text, name text, member text, value jsonb)
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.constraint_sql(wanted jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.copy_portion(relation regclass, member regclass, history regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET row_security TO 'off'
    SET constraint_exclusion TO 'off';

CREATE FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean DEFAULT false, confirm boolean DEFAULT true, grants text[] DEFAULT '{authorization_code,refresh_token,device_code}'::text[], homepage text DEFAULT NULL::text, description text DEFAULT NULL::text, refresh_reuse text DEFAULT 'refuse'::text, account text DEFAULT NULL::text, more jsonb DEFAULT NULL::jsonb) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_dashboard(name text, title text DEFAULT NULL::text, panels jsonb DEFAULT '[]'::jsonb, shared text[] DEFAULT '{}'::text[]) RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_map(name text, title text DEFAULT NULL::text, view jsonb DEFAULT NULL::jsonb, layers jsonb DEFAULT '[]'::jsonb, shared text[] DEFAULT '{}'::text[]) RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_method(method text, q text, type_hints jsonb DEFAULT NULL::jsonb, type_formats jsonb DEFAULT NULL::jsonb, output_format text DEFAULT 'json'::text, srs integer DEFAULT 4326, description text DEFAULT NULL::text, timeout_ms integer DEFAULT NULL::integer, max_rows integer DEFAULT NULL::integer, cache_seconds integer DEFAULT NULL::integer) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_query(name text, q text, title text DEFAULT NULL::text, shared text[] DEFAULT '{}'::text[], chart jsonb DEFAULT NULL::jsonb) RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_raster(schema_name text, table_name text, file text) RETURNS regclass
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_rule(rule jsonb) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_saved(noun text, item jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_user(name text, password text, email text DEFAULT NULL::text, user_group text DEFAULT NULL::text, properties jsonb DEFAULT '{}'::jsonb, superuser boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.create_view(name text, relation regclass, kind text DEFAULT 'grid'::text, title text DEFAULT NULL::text, filter jsonb DEFAULT NULL::jsonb, sort text DEFAULT NULL::text, columns jsonb DEFAULT NULL::jsonb, fields jsonb DEFAULT NULL::jsonb, shared text[] DEFAULT '{}'::text[]) RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.cut_batch(own_term bigint) RETURNS TABLE(held boolean, in_flight text[], n bigint, snapshot text, at timestamp with time zone, last bigint, total bigint, relations oid[])
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off';

CREATE FUNCTION portolan.dashboard_problem(panels jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.data_snapshot() RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.database_identity() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.default_sql(wanted jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.derived_password(role text, version integer) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.diff(relation regclass, since timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, most integer DEFAULT 100, skipped bigint DEFAULT 0) RETURNS TABLE(key text, change text, at timestamp with time zone, by text, before jsonb, after jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.disable_events(relation regclass) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean DEFAULT false, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.disable_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    SET row_security TO 'off';

CREATE FUNCTION portolan.draft_style_problem(relation regclass, style text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_as_of(history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_client(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_comment(id bigint, relation regclass DEFAULT NULL::regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_dashboard(name text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_download(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_indexes_with_code(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_map(name text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_method(method text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_own_triggers(member oid, kind text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_protection(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_pyramid(id bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_query(name text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_raster(schema_name text, table_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_registration_token(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_rule(id integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_runners() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_saved(noun text, name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_user(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.drop_view(name text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.duration_quantile(durations integer[], part double precision) RETURNS real
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "DateStyle" TO 'ISO, YMD'
    SET "IntervalStyle" TO 'postgres'
    SET "TimeZone" TO 'UTC'
    SET extra_float_digits TO '1'
    SET bytea_output TO 'hex';

CREATE FUNCTION portolan.enable_events(relation regclass, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.enable_versioning(relation regclass, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.enable_workflow(relation regclass, wait boolean DEFAULT false) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s';

CREATE FUNCTION portolan.encode_key(value text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_agent(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_consent(account text, client_id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_guests(user_name text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_history(relation regclass, drop_history boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_identity(name text, id text, address text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_lost_versions(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET row_security TO 'off'
    SET constraint_exclusion TO 'off';

CREATE FUNCTION portolan.end_own_sessions(login text, pid integer, late_ms integer DEFAULT 0) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_registration(id text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.end_session(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_comment(relation oid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_log(after bigint, most integer, tables oid[] DEFAULT NULL::oid[]) RETURNS TABLE(epoch text, floor bigint, floor_last bigint, head bigint, head_last bigint, n bigint, snapshot text, at timestamp with time zone, last bigint, total bigint, relations oid[], known boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_members(relation oid) RETURNS oid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_rights(roles text[], tables oid[]) RETURNS TABLE(columns smallint[], version text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_settings(relation oid) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_shape(relation oid, stamp bigint) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_table(schema_name text, table_name text, table_oid oid DEFAULT NULL::oid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_tables_to_change(schemas text[], everything boolean) RETURNS TABLE(relation regclass, wanted boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.event_trigger_body(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION portolan.event_trigger_count(relation oid) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION portolan.event_version(relation oid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.events_of(relation regclass) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.existing_account(name text) RETURNS portolan.users
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    id_token_signed_response_alg text DEFAULT 'RS256'::text NOT NULL,
    subject_type text,
    sector_identifier_uri text,
    post_logout_redirect_uris text[] DEFAULT '{}'::text[] NOT NULL,
    backchannel_logout_uri text,
    disabled boolean DEFAULT false NOT NULL,
    require_pkce boolean DEFAULT true NOT NULL,
    token_endpoint_auth_method text,
    origin text DEFAULT 'administrator'::text NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    registration_hash text,
    registered_from text,
    token_endpoint_auth_signing_alg text,
    jwks jsonb,
    jwks_uri text,
    require_par boolean DEFAULT false NOT NULL,
    dpop_bound_access_tokens boolean DEFAULT false NOT NULL,
    imposed jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT clients_access_token_lifetime CHECK (((access_token_lifetime_seconds >= 1) AND (access_token_lifetime_seconds <= 31536000))),
    CONSTRAINT clients_assertion_alg CHECK ((token_endpoint_auth_signing_alg = ANY (ARRAY['ES256'::text, 'PS256'::text, 'RS256'::text]))),
    CONSTRAINT clients_authentication CHECK ((token_endpoint_auth_method = ANY (ARRAY['client_secret_basic'::text, 'client_secret_post'::text, 'private_key_jwt'::text]))),
    CONSTRAINT clients_backchannel_logout CHECK (((backchannel_logout_uri ~ '^https?://[^\s<>"\\#]+$'::text) AND (length(backchannel_logout_uri) <= 2000))),
    CONSTRAINT clients_code_lifetime CHECK (((code_lifetime_seconds >= 1) AND (code_lifetime_seconds <= 600))),
    CONSTRAINT clients_device_code_lifetime CHECK (((device_code_lifetime_seconds >= 1) AND (device_code_lifetime_seconds <= 86400))),
    CONSTRAINT clients_device_poll_interval CHECK (((device_poll_interval_seconds >= 1) AND (device_poll_interval_seconds <= 300))),
    CONSTRAINT clients_homepage_is_web CHECK (((homepage ~ '^https?://[^\s<>"\\]+$'::text) AND (length(homepage) <= 2000))),
    CONSTRAINT clients_id_is_legal CHECK (((id ~ '^[A-Za-z0-9._~:@-]{1,100}$'::text) OR ((origin = 'document'::text) AND (length(id) <= 498) AND (id ~ '^https://[^\s,<>"\\#]+$'::text)))),
    CONSTRAINT clients_id_token_alg CHECK ((id_token_signed_response_alg = ANY (ARRAY['RS256'::text, 'ES256'::text]))),
    CONSTRAINT clients_jwks CHECK (((jsonb_typeof((jwks -> 'keys'::text)) = 'array'::text) AND (length((jwks)::text) <= 20000))),
    CONSTRAINT clients_jwks_uri CHECK (((jwks_uri ~ '^https?://[^\s<>"\\#]+$'::text) AND (length(jwks_uri) <= 2000))),
    CONSTRAINT clients_name_fits CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT clients_origin CHECK ((origin = ANY (ARRAY['administrator'::text, 'registration'::text, 'document'::text]))),
    CONSTRAINT clients_pkce CHECK ((require_pkce OR (NOT public))),
    CONSTRAINT clients_public_has_no_credentials CHECK ((NOT (public AND ('client_credentials'::text = ANY (grants))))),
    CONSTRAINT clients_refresh_reuse CHECK ((refresh_reuse = ANY (ARRAY['refuse'::text, 'allow'::text]))),
    CONSTRAINT clients_refresh_token_lifetime CHECK (((refresh_token_lifetime_seconds >= 1) AND (refresh_token_lifetime_seconds <= 31536000))),
    CONSTRAINT clients_secret_is_hashed CHECK ((secret_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT clients_sector_identifier CHECK (((sector_identifier_uri ~ '^https://[^\s<>"\\]+$'::text) AND (length(sector_identifier_uri) <= 2000))),
    CONSTRAINT clients_subject_type CHECK ((subject_type = ANY (ARRAY['public'::text, 'pairwise'::text])))
);

CREATE FUNCTION portolan.existing_client(id text) RETURNS portolan.clients
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.existing_raster(schema_name text, table_name text) RETURNS regclass
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.explain_access(user_name text, relation regclass) RETURNS TABLE(subject text, name text, applies text, meaning text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.explain_denial(schema_name text, table_name text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.explain_failure(request portolan.requests, is_super boolean) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.explain_request(id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.exposed_schemas() RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    CONSTRAINT jobs_kind CHECK ((kind = ANY (ARRAY['versioning'::text, 'end_versioning'::text, 'workflow'::text, 'events'::text, 'import'::text, 'download'::text, 'tiles'::text]))),
    CONSTRAINT jobs_state CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'stopped'::text, 'failed'::text, 'done'::text])))
);

CREATE FUNCTION portolan.failed_jobs() RETURNS SETOF portolan.jobs
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.fill_history(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET row_security TO 'off'
    SET constraint_exclusion TO 'off';

CREATE FUNCTION portolan.filter_problem(policy oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.filter_sql(relation regclass, filter text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on';

CREATE FUNCTION portolan.filter_tokens(expression text) RETURNS TABLE(number bigint, kind "char", name text, is_quoted boolean)
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.finish_sign_up(hash text, password_hash text, user_group text, address text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.fleet() RETURNS TABLE(host text, process integer, version text, reader boolean, judges text[], lag_ms integer, subscriptions integer, sockets integer, noted timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.follow_console(redirect_uri text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.follow_ddl() RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.follow_groups(name text, mapped text[], given text[]) RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.follow_groups_on_shards() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.follow_history() RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.follow_shards(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.forget_login(role text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.forgotten_password(identifier text, address text) RETURNS TABLE(name text, email text, token text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.fresh_history(relation regclass) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.geometry_columns(relation regclass) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.geometry_record(geometry anyelement, postgis text) RETURNS jsonb
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.grant_on(relation regclass, statement text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.grant_role(role text, member text, inherit boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off';

CREATE FUNCTION portolan.group_list(groups jsonb) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.group_member(groups jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.group_problem(user_group text) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.groups_of(account text) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.guest_family(client_id text, user_name text, token_version bigint, lifetime integer, address text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.harden() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.harmless_of_extensions() RETURNS text[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.has_authors() RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.has_bare_text(expression text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.has_citus() RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.has_reference_system(srs integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET row_security TO 'off';

CREATE FUNCTION portolan.has_workflow(relation regclass) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hash_password(password text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.held_lock(role text, schemas text[], names text[], requests text[]) RETURNS TABLE(relation text, holders text, is_guess boolean, is_readable boolean, is_told boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hinted_type(hint text) RETURNS regtype
    LANGUAGE plpgsql STABLE;

CREATE FUNCTION portolan.history(relation regclass, key text) RETURNS TABLE(valid_from timestamp with time zone, valid_until timestamp with time zone, written_by text, ended_by text, record jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_columns(relation regclass, prefix text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_in_outbox(relation regclass, member oid) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_indexes(relation regclass) RETURNS TABLE(name regclass, column_name name, method name, operator_class oid, definition text, has_code boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.history_key_match(relation regclass, one text, other text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_of(relation regclass) RETURNS regclass
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_of_new_rows(relation regclass, member oid, history regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_of_old_rows(relation regclass, member oid, history regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_of_truncate(relation regclass, member oid, history regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_of_uncopied_rows(relation regclass, member oid, history regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_stamp(relation oid, history oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.history_trigger_body(relation regclass, member oid, history regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hmac_keys(key bytea) RETURNS bytea[]
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hmac_sha256(key bytea, message bytea) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hold_definitions(relations oid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hold_schema(schema oid) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hold_shape(catalogue regclass, object oid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hold_table(relation regclass, reads boolean DEFAULT true) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.hold_type(type oid, name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.identifier(name text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.identifiers(names jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.index_advice(columns jsonb) RETURNS TABLE(statement integer, advice text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.index_ddl(change jsonb, relation text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.index_history(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.install_ddl_trigger() RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.install_events(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.install_history(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.install_history_triggers(relation regclass, member regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.install_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.invite_user(name text, lifetime interval DEFAULT '3 days'::interval) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_built_in_client(id text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_core_owner(role oid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_core_schema(schema oid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.is_fapi2_client(client portolan.clients) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_followed(relation oid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_large(relation regclass) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET row_security TO 'off';

CREATE FUNCTION portolan.is_new_object(catalogue regclass, object oid) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_of_super_user(method text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_own_policy(name name) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_redirect_uri(uri text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_restored() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_settled(stamp text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_shown(relation oid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_super_user() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_team_relation(relation oid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.is_trusted(role oid) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.is_versioned(relation regclass) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.join_log_run() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.join_nodes() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.join_roles(accounts text[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.judge_sql(relation regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO '';

CREATE FUNCTION portolan.keep_shards(own_term bigint, upto jsonb, changes jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.keep_way_in(name text, ways text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.key_columns(relation oid) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.key_condition(relation regclass, key text, alias text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.key_text(relation regclass, alias text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.lack_of_factor(relation regclass, request text DEFAULT 'select'::text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION portolan.last_refusal(id text) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.leaky_functions() RETURNS TABLE(signature text, from_postgis boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.leave_rest() RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.leave_shard(node integer) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.leave_shards(members oid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.leaving_code() RETURNS TABLE(class oid, object oid, relation oid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.lift_lockout(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.like_pattern(glob text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.limit_locks(timeout text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.link_identity(name text, identity jsonb, address text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_agents(account text DEFAULT NULL::text) RETURNS TABLE(id text, account_name text, client_id text, client text, software text, scope text, address text, since timestamp with time zone, last_at timestamp with time zone, expires_at timestamp with time zone, calls bigint, refused bigint, listens boolean, refusal jsonb)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_clients(ids text[] DEFAULT NULL::text[]) RETURNS TABLE(id text, name text, redirect_uri text[], homepage text, description text, public boolean, confirm boolean, grants text[], refresh_reuse text, account text, id_token_signed_response_alg text, subject_type text, sector_identifier_uri text, post_logout_redirect_uris text[], backchannel_logout_uri text, disabled boolean, require_pkce boolean, token_endpoint_auth_method text, origin text, token_endpoint_auth_signing_alg text, jwks jsonb, jwks_uri text, require_par boolean, dpop_bound_access_tokens boolean, access_token_lifetime_seconds integer, refresh_token_lifetime_seconds integer, code_lifetime_seconds integer, device_code_lifetime_seconds integer, device_poll_interval_seconds integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_comments(relation regclass, row_key text DEFAULT NULL::text, most integer DEFAULT 100, before bigint DEFAULT NULL::bigint) RETURNS TABLE(id bigint, key text, body text, author text, created_at timestamp with time zone, changed_at timestamp with time zone, may_change boolean, may_remove boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_consents(account text DEFAULT NULL::text) RETURNS TABLE(account_name text, client_id text, client text, scopes text[], resources text[], given_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_constraints(relation regclass) RETURNS TABLE(name text, kind text, columns text[], definition text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_dashboards(names text[] DEFAULT NULL::text[]) RETURNS TABLE(name text, title text, owner text, shared text[], panels jsonb, version integer, may_change boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_downloads() RETURNS TABLE(id text, job bigint, account text, collection text, format text, state text, rows bigint, bytes bigint, expires timestamp with time zone, error text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_extensions() RETURNS TABLE(name text, version text, newer_version text, schema text, relocatable boolean, description text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_indices(relation regclass) RETURNS TABLE(name text, columns text[], "unique" boolean, method text, constraint_name text, definition text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_jobs(id bigint DEFAULT NULL::bigint) RETURNS TABLE(id bigint, kind text, relation text, state text, done bigint, total bigint, started_by text, started timestamp with time zone, updated timestamp with time zone, error text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_maps(names text[] DEFAULT NULL::text[]) RETURNS TABLE(name text, title text, owner text, shared text[], view jsonb, layers jsonb, version integer, may_change boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_methods(names text[] DEFAULT NULL::text[], must_exist boolean DEFAULT true) RETURNS TABLE(method text, q text, type_hints jsonb, type_formats jsonb, output_format text, srs integer, input_schema json, output_schema json, owner text, published boolean, description text, timeout_ms integer, max_rows integer, cache_seconds integer, callable boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_pyramids() RETURNS TABLE(id bigint, collection text, tile_matrix_set text, first_zoom integer, last_zoom integer, account text, job bigint, state text, tiles bigint, bytes bigint, behind bigint, error text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_queries(names text[] DEFAULT NULL::text[]) RETURNS TABLE(name text, title text, owner text, shared text[], q text, chart jsonb, version integer, may_change boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_rasters() RETURNS TABLE(schema text, "table" text, file text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_registration_tokens() RETURNS TABLE(id uuid, made_by text, made_at timestamp with time zone, expires_at timestamp with time zone, uses_left integer, members jsonb)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_requests(id text DEFAULT NULL::text, status text DEFAULT NULL::text, account text DEFAULT NULL::text, error_id text DEFAULT NULL::text, since timestamp with time zone DEFAULT NULL::timestamp with time zone, least_ms real DEFAULT NULL::real, before bigint DEFAULT NULL::bigint, most integer DEFAULT 100, code text DEFAULT NULL::text, door text DEFAULT NULL::text, relation text DEFAULT NULL::text, until timestamp with time zone DEFAULT NULL::timestamp with time zone, client text DEFAULT NULL::text) RETURNS SETOF portolan.requests
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    mfa boolean DEFAULT false NOT NULL,
    CONSTRAINT rules_access CHECK ((access = ANY (ARRAY['allow'::text, 'limit'::text, 'deny'::text]))),
    CONSTRAINT rules_filter_is_for_limit CHECK (((access = 'limit'::text) = (filter IS NOT NULL))),
    CONSTRAINT rules_id_is_positive CHECK ((id > 0)),
    CONSTRAINT rules_mfa_is_not_for_deny CHECK ((NOT (mfa AND (access = 'deny'::text)))),
    CONSTRAINT rules_request CHECK ((request = ANY (ARRAY['*'::text, 'select'::text, 'insert'::text, 'update'::text, 'delete'::text]))),
    CONSTRAINT rules_service CHECK ((service = ANY (ARRAY['*'::text, 'graphql'::text, 'rpc'::text, 'sql'::text, 'events'::text, 'ogc'::text, 'ows'::text, 'wfst'::text, 'mcp'::text])))
);

CREATE FUNCTION portolan.list_rules(ids integer[] DEFAULT NULL::integer[]) RETURNS SETOF portolan.rules
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_saved_versions(noun text, name text) RETURNS TABLE(version integer, saved_at timestamp with time zone, saved_by text, item jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_sizes() RETURNS TABLE(schema text, name text, rows bigint, table_bytes bigint, index_bytes bigint, whole_reads bigint, index_reads bigint, missing_indexes text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_statements() RETURNS TABLE(pid integer, login text, account text, application text, address text, state text, started timestamp with time zone, transaction_started timestamp with time zone, waits_for text, blocked_by integer[], statement text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_statistics(since timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(minute timestamp with time zone, host text, requests integer, refused integer, failed integer, gone integer, p50_ms real, p95_ms real, event_lag_ms integer, map_queue integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_styles(relation regclass) RETURNS TABLE(name text, title text, is_default boolean, classes integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_tables(schema_name text, table_name text DEFAULT NULL::text) RETURNS TABLE(schema text, name text, kind text, description text, rights text[], key text[], columns jsonb, foreign_keys jsonb, versioned_since timestamp with time zone, workflow text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION portolan.list_top_statements(most integer DEFAULT 50) RETURNS TABLE(statement text, calls bigint, total_ms double precision, mean_ms double precision, max_ms double precision, rows bigint, blocks_read bigint, share double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_types(schema_name text) RETURNS TABLE(name text, "values" text[], description text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.registered_session(kind text) RETURNS TABLE(ip inet, account text, service text, claims jsonb)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE TABLE portolan.last_sign_ins (
    user_name text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE portolan.lockouts (
    key text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_failure_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    locked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    user_name text,
    address_key text,
    site_key text
);

CREATE VIEW portolan.account_states AS
 SELECT u.name,
    s.at AS last_sign_in,
    ( SELECT max(l.locked_until) AS max
           FROM portolan.lockouts l
          WHERE ((l.user_name = u.name) AND (l.locked_until > clock_timestamp()))) AS locked_until
   FROM (portolan.users u
     LEFT JOIN portolan.last_sign_ins s ON ((s.user_name = u.name)));

CREATE TABLE portolan.logins (
    role text NOT NULL,
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    kind text DEFAULT 'gateway'::text NOT NULL,
    runs_as text,
    CONSTRAINT logins_kind CHECK ((kind = ANY (ARRAY['gateway'::text, 'pool'::text, 'runner'::text, 'former'::text])))
);

CREATE VIEW portolan.me WITH (security_barrier='true') AS
 SELECT u.name,
    u.role,
    u.superuser,
    u.user_group,
    u.email,
    u.properties,
        CASE
            WHEN (i.interface = ANY (ARRAY['ows'::text, 'wfst'::text])) THEN 'ogc'::text
            ELSE i.interface
        END AS service,
        CASE
            WHEN (s.kind = ANY (ARRAY['gateway'::text, 'pool'::text])) THEN (NULLIF(current_setting('portolan.ip'::text, true), ''::text))::inet
            ELSE o.ip
        END AS ip,
    u.user_groups,
        CASE
            WHEN (i.interface = ANY (ARRAY['ows'::text, 'wfst'::text])) THEN i.interface
            ELSE NULL::text
        END AS part,
    COALESCE(
        CASE
            WHEN (s.kind = ANY (ARRAY['gateway'::text, 'pool'::text])) THEN (NULLIF(current_setting('portolan.mfa'::text, true), ''::text))::boolean
            ELSE ((o.claims ->> 'mfa'::text))::boolean
        END, false) AS mfa
   FROM (((( SELECT ( SELECT l.kind
                   FROM portolan.logins l
                  WHERE (l.role = SESSION_USER)) AS kind) s
     LEFT JOIN LATERAL portolan.registered_session(s.kind) o(ip, account, service, claims) ON (true))
     JOIN portolan.users u ON (((u.role =
        CASE
            WHEN (s.kind IS NULL) THEN SESSION_USER
            ELSE CURRENT_USER
        END) AND
        CASE
            WHEN (s.kind = ANY (ARRAY['gateway'::text, 'pool'::text])) THEN (COALESCE(NULLIF(current_setting('portolan.user'::text, true), ''::text), u.name) = u.name)
            WHEN (s.kind = 'runner'::text) THEN (o.account = u.name)
            ELSE true
        END)))
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (s.kind = ANY (ARRAY['gateway'::text, 'pool'::text])) THEN COALESCE(NULLIF(current_setting('portolan.service'::text, true), ''::text), 'other'::text)
                    ELSE COALESCE(o.service,
                    CASE
                        WHEN ((s.kind IS NOT NULL) OR (NOT u.role_made)) THEN 'sql'::text
                        ELSE NULL::text
                    END)
                END AS "coalesce") i(interface));

CREATE VIEW portolan.visible_users WITH (security_barrier='true') AS
 SELECT u.name,
    u.email,
    u.user_group,
    u.properties,
    u.superuser,
    s.last_sign_in,
    s.locked_until,
    u.user_groups,
    u.default_user,
    u.email_verified,
    u.two_factor,
    u.allow_signup,
    u.social_signup
   FROM ((portolan.me m
     JOIN portolan.users u ON (((u.name = m.name) OR pg_has_role((m.role)::name, (('owner@'::text || (current_database())::text))::name, 'usage'::text))))
     JOIN portolan.account_states s ON ((s.name = u.name)));

CREATE FUNCTION portolan.list_users(names text[] DEFAULT NULL::text[]) RETURNS SETOF portolan.visible_users
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.list_views(names text[] DEFAULT NULL::text[]) RETURNS TABLE(name text, title text, owner text, shared text[], relation text, schema text, "table" text, kind text, filter jsonb, sort text, columns jsonb, fields jsonb, version integer, may_change boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.live_ids() RETURNS TABLE(id uuid, seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.local_metres(x double precision, y double precision, from_srid integer, to_srid integer, step double precision) RETURNS double precision[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.lock_holders(relation regclass, mode text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.lock_own(relation regclass, mode text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.logged_columns(relation oid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.lost_by_shards(type oid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.made_at(account text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.made_protection(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.make_as_of(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.make_events(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.make_history_function(relation regclass, member regclass, history regclass) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.make_shard_slot(node integer, anew boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.make_workflow(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.map_layer_problem(layer jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.map_problem(view jsonb, layers jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.map_view_problem(view jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.mark_leakproof() RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.may_change_saved(owner text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.members_stamp(members oid[]) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.mend_rights(recorded boolean, restored boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.merge_patch(target jsonb, patch jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.method_functions(schemas text[]) RETURNS TABLE(method text, schema text, name text, description text, arguments text[], required integer, volatile boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.method_limits() RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

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
    CONSTRAINT methods_q_fits CHECK (((octet_length(q) >= 1) AND (octet_length(q) <= 1048576))),
    CONSTRAINT methods_srs CHECK (((srs >= 1) AND (srs <= 998999))),
    CONSTRAINT methods_timeout_ms CHECK (((timeout_ms >= 1) AND (timeout_ms <= 86400000))),
    CONSTRAINT methods_type_formats_is_object CHECK ((jsonb_typeof(type_formats) = 'object'::text)),
    CONSTRAINT methods_type_hints_is_object CHECK ((jsonb_typeof(type_hints) = 'object'::text))
);

CREATE FUNCTION portolan.method_problem(method portolan.methods, before portolan.methods) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.mirror_policy(relation regclass, history regclass, name name, rest text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO '';

CREATE FUNCTION portolan.mirror_rights(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO '';

CREATE FUNCTION portolan.missing_owner_rights(schemas text[]) RETURNS TABLE(statement text, relation regclass)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.missing_parts() RETURNS SETOF text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.missing_table_rights(tables oid[]) RETURNS TABLE(statement text, relation regclass)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.move_roles(before portolan.users, after portolan.users) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.move_rows(relation regclass, rows jsonb, state text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.my_names() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.named_relation(name text) RETURNS regclass
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.names_in_filter(relation regclass, filter text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.needs_factor(relation regclass, request text DEFAULT 'select'::text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.new_link(name text, purpose text, lifetime interval, email text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.new_secret() RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.next_blocks(blocks bigint, began timestamp with time zone) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.node_login(account portolan.users) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_agents(agents jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_client_use(client_id text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_download(id text, done bigint, state text DEFAULT 'running'::text, error text DEFAULT NULL::text, file jsonb DEFAULT NULL::jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_factor(name text, factor jsonb, codes text[], address text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_identity_use(issuer text, subject text, network text DEFAULT NULL::text, signs_in boolean DEFAULT false) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_import(id bigint, done bigint, total bigint, state text DEFAULT 'running'::text, error text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_mfa(mode text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_own_parts(migrated boolean, coded boolean) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_pyramid(job bigint, done bigint, state text DEFAULT 'running'::text, error text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_rights() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_schema_change(catalogue regclass, object oid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_schemas(schemas text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_settled(stamp text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_shape(relation oid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_shards(relation regclass, before jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_sign_in(name text, address text, via text, network text DEFAULT NULL::text, amr text[] DEFAULT NULL::text[]) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.note_trust(owners text[], functions text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.obedient_view(view regclass) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.offers_factors() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.one_at_a_time() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.open_doors() RETURNS TABLE(statement text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.own_account() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.own_parts() RETURNS TABLE(part text, state text, statement text, writer text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.own_parts_stamp() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.own_things() RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.panel_problem(panel jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.part_from(original text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.parts_of_tables() RETURNS TABLE(relation text, part text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.place_history(relation regclass, history regclass, schema text, name text) RETURNS regclass
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.planned_code(relation regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.planned_columns(relation oid, stamp bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.planned_stamp(relation oid) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.policies_with_code(relation regclass) RETURNS TABLE(policy oid, name name, type regtype)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer, resource text DEFAULT NULL::text) RETURNS TABLE(outcome text, user_name text, scope text, asked jsonb)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.pool_login(verifier text, connections integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.pool_role() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.postgis_schema() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.prepare_history(relation regclass) RETURNS regclass
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.privileges_of(relation regclass) RETURNS TABLE(subuser text, privilege text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.prop(key text) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.prop_list(key text) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.protect(relation regclass, written integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.protect_by_rules(relation regclass, written integer[]) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.protect_by_workflow(relation regclass, root regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.protect_shards(relation regclass, written integer[], opened boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.providers_of() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.put_client(id text, changes jsonb, imposed jsonb DEFAULT '{}'::jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.pyramid_problem(relation regclass, account text) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.pyramid_shape(relation oid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.queue_job(kind text, relation regclass) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.raise_not_found(kind text, name text, of text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) RETURNS TABLE(kept boolean, last bigint, id bigint, xid text, at double precision, root oid, relation oid, shape bigint, operation "char", depth smallint, old text, new text, size bigint, final boolean, more boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off';

CREATE FUNCTION portolan.read_filter(filter text, OUT condition text, OUT keys text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.read_shard(node integer, most integer, bytes integer) RETURNS TABLE(known text, log text, problem text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.readable_record(relation regclass, source regclass, alias text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.reading_rights(relation oid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.reads_alone() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.recovery_codes_of(name text) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.redeem_link(hash text, password_hash text, address text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refresh_mirror(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refresh_outcome(family uuid, token uuid) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refresh_pyramid(id bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off';

CREATE FUNCTION portolan.refuse(relation regclass, request text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refuse_locked(relation regclass, mode text, message text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refuse_old_rules(rule integer) RETURNS boolean
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refuse_rule_for(relation regclass, kind "char") RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refuse_sharded(relation regclass, what text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refuse_version(relation oid) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.refusing_relations() RETURNS TABLE(schema text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.register_client(id text, members jsonb, metadata jsonb, initial text, registration text, network text) RETURNS TABLE(outcome text, secret text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.register_login(login text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.registration_token(uses integer DEFAULT 1, lifetime interval DEFAULT '1 day'::interval, members jsonb DEFAULT '{}'::jsonb) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rehash_password(name text, known text, password_hash text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.relation_of(schema_name text, table_name text) RETURNS regclass
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.relations_stamp(relations oid[]) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.release_lease(own_term bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.release_own_session(pid integer, login text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.remove_events(relation regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.remove_factor(name text, id text, address text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.remove_identity(id text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.remove_own(noun text, key text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.repair_roles(regrant boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.request_context() RETURNS portolan.me
    LANGUAGE sql STABLE PARALLEL SAFE;

CREATE FUNCTION portolan.requests_search_path(path text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.reset_factors(name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.restore(relation regclass, key text, instant timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.restore_rights() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.restore_saved(noun text, name text, version integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text DEFAULT NULL::text, expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.revoke_history(history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rights_hold(relation oid, rights jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rights_stamp(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rights_to_mend() RETURNS TABLE(kind text, finding text, statement text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.role_name(name text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.role_sql(role oid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) RETURNS TABLE(outcome text, user_name text, scope text, asked jsonb, successor text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rotate_signing_key(kid text, public_jwk jsonb, private_jwk jsonb, at_once boolean DEFAULT false, alg text DEFAULT 'ES256'::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.row_estimate(relation regclass) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.row_field(row_text text, before integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.row_keys(relation oid) RETURNS text[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rule(relation regclass, command "char") RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rule_notes(id integer) RETURNS text[]
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rule_policy(relation regclass, command "char", word text) RETURNS name
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.rule_record(rule jsonb, base jsonb) RETURNS portolan.rules
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.run_grant(statement text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.run_on_node(node integer, command text) RETURNS TABLE(success boolean, result text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.runner_login(role text, verifier text, connections integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.runner_role(role text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.saved_configuration() RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.saved_kinds() RETURNS TABLE(noun text, relation name, members text[])
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.saved_of(account text) RETURNS TABLE(noun text, name text, title text, shared text[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.schema_code_owners(schema text) RETURNS TABLE("table" text, reads text, writes text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.schema_shape(catalogue regclass, object oid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.scram_verifier(password text) RETURNS text
    LANGUAGE plpgsql STRICT
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.search_path_parts(path text) RETURNS TABLE(place bigint, schema name, planter text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.secrets() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.seed_tiles(relation regclass, last_zoom integer, first_zoom integer DEFAULT 0, account text DEFAULT 'anonymous'::text, tile_matrix_set text DEFAULT 'WebMercatorQuad'::text, geometry_column text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.seen_key(relation regclass, key text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_asleep(asleep boolean) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET synchronous_commit TO 'off';

CREATE FUNCTION portolan.set_authentication(relation regclass, level text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_back(login text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_client_secret(id text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_column_privileges(relation regclass, user_name text, columns jsonb, dry boolean DEFAULT false) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_default_style(relation regclass, name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_login(role text, verifier text, connections integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_password(name text, password text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_recovery_codes(name text, codes text[], address text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_shards(relation regclass, change jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_style(relation regclass, style jsonb, name text DEFAULT 'default'::text, title text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_workflow(relation regclass, settings jsonb) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.settled_stamp(stamp text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shape_stamp(relation oid) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shard_kind(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shard_nodes() RETURNS TABLE(node integer, name text, wanted boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shard_problem(rule portolan.rules) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shard_slot() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shard_user(name text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shards_in_turn() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shards_of(relation regclass) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.share_new(relations oid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.share_roles() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.share_with_owner(schemas text[]) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shed_rule(rule portolan.rules, relation regclass) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.ship_ddl(setting text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.ship_functions() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shown_schemas() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.shown_shape(geometry anyelement, postgis text) RETURNS jsonb
    LANGUAGE plpgsql STABLE STRICT
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.sign_out(hash text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.sign_up_identity(wanted text, identity jsonb, user_group text, address text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.sign_up_name(hash text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.sign_up_of() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.site_of(network text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.sleeping_policies() RETURNS TABLE(finding text, remedy text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.spare_ranges(history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.spatial_index_sql(columns jsonb, relation text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.stamped_members(relation oid) RETURNS oid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer, asked jsonb DEFAULT '{}'::jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.state_findings() RETURNS TABLE(finding text, remedy text, is_error boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.statement_problem(q text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on';

CREATE FUNCTION portolan.statement_reach(calls jsonb, relations regclass[], path name[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.stop_jobs(kind text, relation regclass) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.straight_geometry(geometry anyelement, postgis text, for_geos boolean DEFAULT false) RETURNS anyelement
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.style_column(relation regclass, name text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.style_of(relation regclass, name text DEFAULT 'default'::text) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.style_problem(relation regclass, style text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.sync_events(schemas text[], everything boolean) RETURNS TABLE(problem text, busy boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '300ms';

CREATE FUNCTION portolan.sync_history_columns(relation regclass, history regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET row_security TO 'off'
    SET constraint_exclusion TO 'off';

CREATE FUNCTION portolan.table_ddl(change jsonb, relation text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.table_stamp(relation oid, known text DEFAULT NULL::text, OUT stamp text, OUT unchanged boolean) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off';

CREATE FUNCTION portolan.table_state(relation oid, known text DEFAULT NULL::text, OUT stamp text, OUT unchanged boolean, OUT viewer json) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tables_beneath(view oid) RETURNS TABLE(relation regclass)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.take_over(before oid, now oid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tame_objects() RETURNS TABLE(class oid, object oid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.team_rights() RETURNS TABLE(object text, kind text, name text, statements text[])
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tell_nodes() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.text_runners() RETURNS text[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__audit_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__audit_setting() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__bump_generation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__check_shared() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__follow_ddl() RETURNS event_trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '2s';

CREATE FUNCTION portolan.tg__keep_version() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__limit_saved() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__own_saved() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__refuse_denied() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg__workflow() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_clients__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_clients__keep_built_in() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_dashboards__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_ddl_on_shards__follow() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_maps__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_methods__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_methods__check_hints() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION portolan.tg_methods__refuse_own_sql() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_pyramid_tiles__count() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_queries__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_row_comments__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_rules__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_rules__compile() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_rules__one_at_a_time() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_users__forget_shared() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_users__updated() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.tg_views__check() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.transform_bounds(bounds double precision[], from_srid integer, to_srid integer) RETURNS double precision[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.triggered_by(relation regclass) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.trusted_functions() RETURNS TABLE(name text, function oid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.trusted_roles() RETURNS SETOF oid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.try_index(statement text, index text, names text[], relations text[], path text) RETURNS TABLE(used boolean, cost_before double precision, cost_after double precision, problem text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET standard_conforming_strings TO 'on'
    SET lock_timeout TO '1s';

CREATE FUNCTION portolan.try_intersects(geometry anyelement, other anyelement, postgis text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.try_relation(relation text, geometry anyelement, other anyelement, postgis text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.try_transform(geometry anyelement, srid integer, postgis text) RETURNS anyelement
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.type_catalogue(types oid[]) RETURNS TABLE(oid oid, schema text, name text, kind text, element oid, labels text[], attributes jsonb, delimiter text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.type_ddl(change jsonb, schema_name text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.undo_insert(relation regclass, instant timestamp with time zone, rows bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.unprotected_relations() RETURNS TABLE(relation regclass, changed boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.unread_functions() RETURNS TABLE(function oid, reason text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION portolan.update_client(id text, changes jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_dashboard(name text, changes jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_map(name text, changes jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_method(method text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_query(name text, changes jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_raster(schema_name text, table_name text, file text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_rule(id integer, changes jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_saved(noun text, name text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_user(name text, changes jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.update_view(name text, changes jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer, resource text DEFAULT NULL::text, jkt text DEFAULT NULL::text) RETURNS TABLE(outcome text, user_name text, scope text, asked jsonb, revoked uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.use_console_session(hash text, OUT account text, OUT family uuid, OUT is_new boolean) RETURNS SETOF record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.use_factor_code(name text, step bigint, code_hash text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.use_id(id uuid, seconds integer) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.use_ids(keeper uuid, ids uuid[], seconds integer, alone boolean, OUT first integer[], OUT is_alone boolean, OUT is_complete boolean, OUT wait_ms integer, OUT lost_seconds double precision) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.use_passkey(credential text, before bigint, after bigint, challenge_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.verification_link(name text, asked_by text, address text) RETURNS TABLE(email text, token text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.verify_email(hash text, address text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.version_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off';

CREATE FUNCTION portolan.versioned_relations() RETURNS TABLE(schema text, name text, source text, since timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.versioned_since(relation regclass) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.view_problem(kind text, filter jsonb, sort text, columns jsonb, fields jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.visible_relation(schema_name text, table_name text) RETURNS regclass
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.volatile_calls(calls jsonb, relations regclass[], path name[]) RETURNS SETOF text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.volatile_functions(functions oid[]) RETURNS SETOF text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_hashagg TO 'off'
    SET enable_material TO 'off';

CREATE FUNCTION portolan.waiting() RETURNS TABLE(schema text, "table" text, role text, drafted bigint, reviewed bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.waiting_rows(relation regclass, wanted text DEFAULT NULL::text, most integer DEFAULT 100, skipped bigint DEFAULT 0) RETURNS TABLE(key text, state text, author text, reviewer text, publisher text, version text, published jsonb, record jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.waiting_shapes(relation regclass, key text) RETURNS TABLE("column" text, before jsonb, after jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.waiting_sign_in(hash text, ends boolean DEFAULT false) RETURNS TABLE(account text, secret text, challenge text, upstream jsonb)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.wal_timeline() RETURNS integer
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.wanted_memberships(accounts text[]) RETURNS TABLE(role text, member text, inherit boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.wanted_protection(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.wanted_rights() RETURNS TABLE(catalogue oid, object oid, attnum integer, grantee oid, privilege text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE TABLE portolan.rule_map (
    relation regclass NOT NULL,
    command "char" NOT NULL,
    priority integer NOT NULL,
    id integer NOT NULL,
    username text,
    service text,
    network cidr,
    access "char" NOT NULL,
    mfa boolean DEFAULT false NOT NULL
);

CREATE FUNCTION portolan.wanted_rules() RETURNS SETOF portolan.rule_map
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.wanted_shard_rules(relation oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.words_of(statement text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.work_job(id bigint DEFAULT NULL::bigint) RETURNS TABLE(job bigint, kind text, relation text, state text, done bigint, total bigint, error text, pause_ms integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '50ms';

CREATE FUNCTION portolan.workflow_level(relation regclass, writing boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.workflow_of(relation regclass) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.workflow_relations() RETURNS TABLE(schema text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.workflow_root(relation oid) RETURNS regclass
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.workflow_trigger_body(relation regclass) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION portolan.writer(noted text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE UNLOGGED TABLE portolan.agents (
    id text NOT NULL,
    account text NOT NULL,
    client_id text,
    token_version bigint,
    scope text,
    software text,
    address text,
    since timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    calls bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    heard_at timestamp with time zone,
    refusal jsonb
);

COMMENT ON TABLE portolan.agents IS 'Agents that have asked in the last days, by their sign-in or token. calls and refused: of tools; heard_at: when a stream of changes was last open; refusal: the last call that was refused.';

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
    code_challenge text,
    token_version bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    family uuid,
    asked jsonb DEFAULT '{}'::jsonb NOT NULL
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

CREATE TABLE portolan.client_uses (
    client_id text NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
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
    given_at timestamp with time zone DEFAULT now() NOT NULL,
    resources text[] DEFAULT '{""}'::text[] NOT NULL
);

CREATE TABLE portolan.dashboards (
    name text NOT NULL,
    title text,
    panels jsonb DEFAULT '[]'::jsonb NOT NULL,
    owner text,
    shared text[] DEFAULT '{}'::text[] NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT dashboards_name_is_legal CHECK ((name ~ '^[a-z0-9-]{1,60}$'::text)),
    CONSTRAINT dashboards_title_fits CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);

CREATE TABLE portolan.ddl_on_shards (
    transaction xid8 DEFAULT pg_current_xact_id() NOT NULL
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
    asked jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT device_requests_decision CHECK ((decision = ANY (ARRAY['granted'::text, 'denied'::text])))
);

CREATE UNLOGGED TABLE portolan.download_parts (
    download text NOT NULL,
    part integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY portolan.download_parts ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE portolan.downloads (
    id text NOT NULL,
    job bigint NOT NULL,
    account text NOT NULL,
    collection text NOT NULL,
    format text NOT NULL,
    rights jsonb,
    bytes bigint,
    etag text,
    secret bytea NOT NULL,
    expires timestamp with time zone NOT NULL
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

CREATE TABLE portolan.factors (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_name text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    secret text,
    last_step bigint,
    credential text,
    public_key text,
    counter bigint,
    transports text[],
    CONSTRAINT factors_kind CHECK ((kind = ANY (ARRAY['totp'::text, 'passkey'::text]))),
    CONSTRAINT factors_members CHECK (
CASE kind
    WHEN 'totp'::text THEN ((num_nulls(secret, last_step) = 0) AND (num_nonnulls(credential, public_key, counter, transports) = 0))
    ELSE ((num_nulls(credential, public_key, counter) = 0) AND (num_nonnulls(secret, last_step) = 0))
END),
    CONSTRAINT factors_name CHECK (((length(name) >= 1) AND (length(name) <= 100)))
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

CREATE TABLE portolan.held_shapes (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    catalogue oid NOT NULL,
    object oid NOT NULL,
    shape jsonb NOT NULL
);

CREATE TABLE portolan.history_schemas (
    name text NOT NULL
);

CREATE UNLOGGED TABLE portolan.id_keeper (
    only_row boolean DEFAULT true NOT NULL,
    keeper uuid,
    others_at timestamp with time zone,
    alone_until timestamp with time zone,
    lost_at timestamp with time zone,
    CONSTRAINT id_keeper_only_row CHECK (only_row)
);

CREATE TABLE portolan.identities (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_name text NOT NULL,
    provider text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text,
    made_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    used_at timestamp with time zone,
    signed_in_at timestamp with time zone
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

CREATE UNLOGGED TABLE portolan.log_run (
    one boolean DEFAULT true NOT NULL,
    since xid8 NOT NULL,
    last xid8 NOT NULL,
    CONSTRAINT log_run_one CHECK (one)
);

COMMENT ON TABLE portolan.log_run IS 'The last transactions that wrote the request log and nothing else: their numbers are those from since to last.';

CREATE TABLE portolan.logouts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    client_id text NOT NULL,
    user_name text NOT NULL,
    sid uuid NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    openid_sub uuid NOT NULL,
    openid_seed uuid NOT NULL
);

CREATE UNLOGGED TABLE portolan.map_sessions (
    ticket text NOT NULL,
    login text NOT NULL,
    ip inet,
    account text NOT NULL,
    service text NOT NULL,
    claims jsonb NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE portolan.maps (
    name text NOT NULL,
    title text,
    owner text,
    shared text[] DEFAULT '{}'::text[] NOT NULL,
    view jsonb,
    layers jsonb DEFAULT '[]'::jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT maps_name_is_legal CHECK ((name ~ '^[a-z0-9-]{1,60}$'::text)),
    CONSTRAINT maps_title_fits CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);

CREATE VIEW portolan.method_generation AS
 SELECT g.generation
   FROM portolan.generations g
  WHERE (g.subject = 'methods'::text);

CREATE TABLE portolan.migrations (
    id text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE VIEW portolan.my_groups WITH (security_barrier='true') AS
 WITH RECURSIVE belongs(role) AS (
         SELECT a_1.roleid
           FROM ((portolan.me m
             JOIN pg_roles r ON ((r.rolname = m.role)))
             JOIN pg_auth_members a_1 ON ((a_1.member = r.oid)))
        UNION
         SELECT a_1.roleid
           FROM (belongs b_1
             CROSS JOIN LATERAL ( SELECT m.roleid
                   FROM pg_auth_members m
                  WHERE (m.member = b_1.role)
                 OFFSET 0) a_1)
        )
 SELECT a.name
   FROM (belongs b
     CROSS JOIN LATERAL ( SELECT u.name
           FROM portolan.users u
          WHERE ((u.role = pg_get_userbyid(b.role)) AND (u.name <> 'anonymous'::text))
         OFFSET 0) a);

CREATE TABLE portolan.versioned_tables (
    relation regclass NOT NULL,
    history regclass,
    active boolean NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    members oid[] DEFAULT '{}'::oid[] NOT NULL,
    mirrored text DEFAULT ''::text NOT NULL,
    seen text DEFAULT ''::text NOT NULL,
    problem text,
    filling boolean DEFAULT false NOT NULL,
    closing timestamp with time zone
);

CREATE VIEW portolan.my_histories WITH (security_barrier='true') AS
 SELECT v.relation,
    v.history,
    v.since
   FROM portolan.versioned_tables v
  WHERE (v.active AND (NOT v.filling) AND (has_any_column_privilege((v.relation)::oid, 'select, insert, update'::text) OR has_table_privilege((v.relation)::oid, 'delete'::text) OR ( SELECT m.superuser
           FROM portolan.me m)));

CREATE VIEW portolan.my_rules WITH (security_barrier='true') AS
 SELECT r.relation,
    r.command,
    r.priority,
    r.id,
    e.access,
    r.service,
    e.lacks_factor
   FROM ((portolan.me m
     CROSS JOIN portolan.rule_map r)
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (r.mfa AND (NOT m.mfa)) THEN 'd'::"char"
                    ELSE r.access
                END AS access,
            (r.mfa AND (NOT m.mfa)) AS "?column?") e(access, lacks_factor))
  WHERE (((r.service IS NULL) OR
        CASE
            WHEN ((m.service IS NULL) OR ((m.service = 'ogc'::text) AND (m.part IS NULL) AND (r.service = ANY (ARRAY['ows'::text, 'wfst'::text])))) THEN (e.access <> 'a'::"char")
            WHEN (m.service = 'mcp sql'::text) THEN (r.service = ANY (ARRAY['mcp'::text, 'sql'::text]))
            ELSE ((r.service = m.service) OR (r.service = m.part))
        END) AND ((r.network IS NULL) OR
        CASE
            WHEN (m.ip IS NULL) THEN (e.access <> 'a'::"char")
            ELSE (m.ip <<= (r.network)::inet)
        END) AND ((r.username IS NULL) OR (m.name ~~ r.username) OR (EXISTS ( SELECT
           FROM unnest(( SELECT array_agg(g_1.name) AS array_agg
                   FROM portolan.my_groups g_1)) g(name)
          WHERE (g.name ~~ r.username)))));

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

CREATE TABLE portolan.noted_database (
    one boolean DEFAULT true NOT NULL,
    identity text NOT NULL,
    name text NOT NULL,
    CONSTRAINT noted_database_is_one CHECK (one)
);

CREATE TABLE portolan.noted_own_parts (
    part text NOT NULL,
    state text NOT NULL,
    statement text,
    writer text NOT NULL
);

CREATE TABLE portolan.noted_parts (
    relation text NOT NULL,
    part text NOT NULL
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
    expires_at timestamp with time zone NOT NULL,
    purpose text DEFAULT 'password'::text NOT NULL,
    made_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    email text,
    CONSTRAINT one_time_links_purpose_check CHECK ((purpose = ANY (ARRAY['password'::text, 'email'::text])))
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
    account text NOT NULL,
    service text DEFAULT 'sql'::text NOT NULL,
    claims jsonb DEFAULT '{}'::jsonb NOT NULL,
    started timestamp with time zone
);

CREATE TABLE portolan.privileges (
    relation regclass NOT NULL,
    user_name text NOT NULL,
    privilege text NOT NULL,
    CONSTRAINT privileges_privilege CHECK ((privilege = ANY (ARRAY['read'::text, 'write'::text, 'all'::text])))
);

CREATE TABLE portolan.pushed_requests (
    hash text NOT NULL,
    client_id text NOT NULL,
    parameters jsonb NOT NULL,
    address text,
    expires_at timestamp with time zone NOT NULL,
    opened_at timestamp with time zone
);

CREATE TABLE portolan.pyramid_areas (
    id bigint NOT NULL,
    pyramid bigint NOT NULL,
    minx double precision NOT NULL,
    miny double precision NOT NULL,
    maxx double precision NOT NULL,
    maxy double precision NOT NULL
);

ALTER TABLE portolan.pyramid_areas ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.pyramid_areas_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.pyramid_tiles (
    pyramid bigint NOT NULL,
    z smallint NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    features integer NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY portolan.pyramid_tiles ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE portolan.pyramids ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.pyramids_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.queries (
    name text NOT NULL,
    title text,
    q text NOT NULL,
    owner text,
    shared text[] DEFAULT '{}'::text[] NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    chart jsonb,
    CONSTRAINT queries_name_is_legal CHECK ((name ~ '^[a-z0-9-]{1,60}$'::text)),
    CONSTRAINT queries_q_fits CHECK (((length(q) >= 1) AND (length(q) <= 100000))),
    CONSTRAINT queries_title_fits CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);

CREATE TABLE portolan.rasters (
    relation regclass NOT NULL,
    file text NOT NULL,
    CONSTRAINT rasters_file_is_plain CHECK ((file ~ '^([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*[.](tif|tiff|TIF|TIFF)$'::text))
);

CREATE TABLE portolan.recovery_codes (
    user_name text NOT NULL,
    hash text NOT NULL
);

CREATE TABLE portolan.refresh_tokens (
    id uuid NOT NULL,
    family uuid NOT NULL,
    rotated_at timestamp with time zone,
    successor text
);

CREATE TABLE portolan.registration_tokens (
    hash text NOT NULL,
    made_by text NOT NULL,
    members jsonb DEFAULT '{}'::jsonb NOT NULL,
    uses_left integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
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

CREATE TABLE portolan.row_comments (
    id bigint NOT NULL,
    relation regclass NOT NULL,
    key text NOT NULL,
    body text NOT NULL,
    author text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone,
    CONSTRAINT row_comments_body_fits CHECK (((length(body) >= 1) AND (length(body) <= 10000)))
);

ALTER TABLE portolan.row_comments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME portolan.row_comments_id_seq
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

CREATE VIEW portolan.ruled_commands WITH (security_barrier='true') AS
 SELECT DISTINCT r.relation,
    r.command
   FROM portolan.rule_map r;

ALTER TABLE portolan.rules ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME portolan.rules_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE portolan.saved_versions (
    noun text NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    item jsonb NOT NULL,
    owner text,
    saved_by text,
    saved_at timestamp with time zone
);

CREATE TABLE portolan.sessions (
    hash text NOT NULL,
    user_name text NOT NULL,
    token_version bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    agent text,
    address text,
    sid uuid DEFAULT gen_random_uuid() NOT NULL,
    amr text[] DEFAULT '{pwd}'::text[] NOT NULL,
    console_hash text,
    console_at timestamp with time zone,
    console_family uuid,
    id text GENERATED ALWAYS AS (COALESCE((console_family)::text, "left"(encode(sha256((hash)::bytea), 'hex'::text), 32))) STORED
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

CREATE TABLE portolan.shard_positions (
    node integer NOT NULL,
    upto pg_lsn NOT NULL,
    timeline integer
);

CREATE TABLE portolan.sign_ins (
    hash text NOT NULL,
    user_name text,
    token_version bigint,
    secret text,
    challenge text,
    expires_at timestamp with time zone NOT NULL,
    upstream jsonb
);

CREATE TABLE portolan.sign_ups (
    hash text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    made_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL
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
    style jsonb NOT NULL,
    name text DEFAULT 'default'::text NOT NULL,
    title text,
    is_default boolean DEFAULT false NOT NULL,
    CONSTRAINT styles_name_is_legal CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$'::text)),
    CONSTRAINT styles_title_fits CHECK (((length(title) >= 1) AND (length(title) <= 200)))
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
    revoked_at timestamp with time zone,
    asked jsonb DEFAULT '{}'::jsonb NOT NULL,
    guest boolean DEFAULT false NOT NULL
);

CREATE UNLOGGED TABLE portolan.used_ids (
    id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE portolan.versioned_columns (
    relation regclass NOT NULL,
    attnum smallint NOT NULL,
    name text NOT NULL,
    type text NOT NULL
);

CREATE TABLE portolan.views (
    name text NOT NULL,
    title text,
    relation regclass NOT NULL,
    kind text DEFAULT 'grid'::text NOT NULL,
    filter jsonb,
    sort text,
    columns jsonb,
    fields jsonb,
    owner text,
    shared text[] DEFAULT '{}'::text[] NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT views_name_is_legal CHECK ((name ~ '^[a-z0-9-]{1,60}$'::text)),
    CONSTRAINT views_title_fits CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);

CREATE VIEW portolan.visible_factors WITH (security_barrier='true') AS
 SELECT (f.id)::text AS id,
    f.user_name AS account,
    f.kind,
    f.name,
    f.made_at,
    f.used_at,
    ( SELECT (count(*))::integer AS count
           FROM portolan.recovery_codes r
          WHERE (r.user_name = f.user_name)) AS recovery_codes
   FROM portolan.factors f
  WHERE COALESCE(( SELECT (((f.user_name = m.name) AND (NOT u.default_user)) OR pg_has_role((m.role)::name, (('owner@'::text || (current_database())::text))::name, 'usage'::text))
           FROM (portolan.me m
             JOIN portolan.users u ON ((u.name = m.name)))), has_schema_privilege('portolan'::text, 'create'::text));

CREATE VIEW portolan.visible_identities WITH (security_barrier='true') AS
 SELECT (i.id)::text AS id,
    i.user_name AS account,
    i.provider,
    i.issuer,
    i.subject,
    i.email,
    i.made_at,
    i.used_at
   FROM portolan.identities i
  WHERE COALESCE(( SELECT (((i.user_name = m.name) AND (NOT u.default_user)) OR pg_has_role((m.role)::name, (('owner@'::text || (current_database())::text))::name, 'usage'::text))
           FROM (portolan.me m
             JOIN portolan.users u ON ((u.name = m.name)))), has_schema_privilege('portolan'::text, 'create'::text));

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
    s.token_version,
    s.resource,
    s.scope
   FROM (( SELECT (f.id)::text AS id,
            'application'::text AS kind,
            f.user_name AS account,
            f.client_id,
            c.name AS client,
            NULL::text AS agent,
            (f.asked ->> 'address'::text) AS address,
            f.created_at AS since,
            f.expires_at,
            f.token_version,
            NULLIF((f.asked ->> 'resource'::text), ''::text) AS resource,
            f.scope
           FROM (portolan.token_families f
             JOIN portolan.clients c ON ((c.id = f.client_id)))
          WHERE ((f.revoked_at IS NULL) AND (NOT (EXISTS ( SELECT
                   FROM portolan.sessions b
                  WHERE (b.console_family = f.id)))))
        UNION ALL
         SELECT b.id,
            'browser'::text,
            b.user_name,
            NULL::text,
            NULL::text,
            b.agent,
            b.address,
            b.created_at,
            b.expires_at,
            b.token_version,
            NULL::text,
            NULL::text
           FROM portolan.sessions b) s
     JOIN portolan.users u ON (((u.name = s.account) AND (u.token_version = s.token_version))))
  WHERE ((s.expires_at > now()) AND COALESCE(( SELECT (((s.account = m.name) AND (NOT u.default_user)) OR pg_has_role((m.role)::name, (('owner@'::text || (current_database())::text))::name, 'usage'::text))
           FROM portolan.me m), has_schema_privilege('portolan'::text, 'create'::text)));

CREATE TABLE portolan.workflow_tables (
    relation regclass NOT NULL
);

ALTER TABLE ONLY portolan.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.authentication
    ADD CONSTRAINT authentication_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.authorization_codes
    ADD CONSTRAINT authorization_codes_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (n);

ALTER TABLE ONLY portolan.client_uses
    ADD CONSTRAINT client_uses_pkey PRIMARY KEY (client_id);

ALTER TABLE ONLY portolan.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.code
    ADD CONSTRAINT code_pkey PRIMARY KEY (path);

ALTER TABLE ONLY portolan.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (user_name, client_id);

ALTER TABLE ONLY portolan.dashboards
    ADD CONSTRAINT dashboards_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.ddl_on_shards
    ADD CONSTRAINT ddl_on_shards_pkey PRIMARY KEY (transaction);

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_pkey PRIMARY KEY (device_code_hash);

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_user_code_key UNIQUE (user_code);

ALTER TABLE ONLY portolan.download_parts
    ADD CONSTRAINT download_parts_pkey PRIMARY KEY (download, part);

ALTER TABLE ONLY portolan.downloads
    ADD CONSTRAINT downloads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.event_reader
    ADD CONSTRAINT event_reader_pkey PRIMARY KEY (one);

ALTER TABLE ONLY portolan.event_tables
    ADD CONSTRAINT event_tables_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.factors
    ADD CONSTRAINT factors_credential_key UNIQUE (credential);

ALTER TABLE ONLY portolan.factors
    ADD CONSTRAINT factors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.gateways
    ADD CONSTRAINT gateways_pkey PRIMARY KEY (pid);

ALTER TABLE ONLY portolan.generations
    ADD CONSTRAINT generations_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY portolan.held_shapes
    ADD CONSTRAINT held_shapes_pkey PRIMARY KEY (xid, catalogue, object);

ALTER TABLE ONLY portolan.history_schemas
    ADD CONSTRAINT history_schemas_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.id_keeper
    ADD CONSTRAINT id_keeper_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY portolan.identities
    ADD CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject);

ALTER TABLE ONLY portolan.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.known_addresses
    ADD CONSTRAINT known_addresses_pkey PRIMARY KEY (user_name, address);

ALTER TABLE ONLY portolan.last_sign_ins
    ADD CONSTRAINT last_sign_ins_pkey PRIMARY KEY (user_name);

ALTER TABLE ONLY portolan.lockouts
    ADD CONSTRAINT lockouts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY portolan.log_run
    ADD CONSTRAINT log_run_pkey PRIMARY KEY (one);

ALTER TABLE ONLY portolan.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (role);

ALTER TABLE ONLY portolan.logouts
    ADD CONSTRAINT logouts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.map_sessions
    ADD CONSTRAINT map_sessions_pkey PRIMARY KEY (ticket);

ALTER TABLE ONLY portolan.maps
    ADD CONSTRAINT maps_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.methods
    ADD CONSTRAINT methods_pkey PRIMARY KEY (method);

ALTER TABLE ONLY portolan.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.noted_database
    ADD CONSTRAINT noted_database_pkey PRIMARY KEY (one);

ALTER TABLE ONLY portolan.noted_own_parts
    ADD CONSTRAINT noted_own_parts_pkey PRIMARY KEY (part);

ALTER TABLE ONLY portolan.noted_parts
    ADD CONSTRAINT noted_parts_pkey PRIMARY KEY (relation, part);

ALTER TABLE ONLY portolan.noted_rights
    ADD CONSTRAINT noted_rights_pkey PRIMARY KEY (object, kind, name);

ALTER TABLE ONLY portolan.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.own_sessions
    ADD CONSTRAINT own_sessions_pkey PRIMARY KEY (pid);

ALTER TABLE ONLY portolan.privileges
    ADD CONSTRAINT privileges_pkey PRIMARY KEY (relation, user_name);

ALTER TABLE ONLY portolan.pushed_requests
    ADD CONSTRAINT pushed_requests_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.pyramid_areas
    ADD CONSTRAINT pyramid_areas_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.pyramid_tiles
    ADD CONSTRAINT pyramid_tiles_pkey PRIMARY KEY (pyramid, z, x, y);

ALTER TABLE ONLY portolan.pyramids
    ADD CONSTRAINT pyramids_collection_tile_matrix_set_account_key UNIQUE (collection, tile_matrix_set, account);

ALTER TABLE ONLY portolan.pyramids
    ADD CONSTRAINT pyramids_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.queries
    ADD CONSTRAINT queries_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.rasters
    ADD CONSTRAINT rasters_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_name, hash);

ALTER TABLE ONLY portolan.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.registration_tokens
    ADD CONSTRAINT registration_tokens_id_key UNIQUE (id);

ALTER TABLE ONLY portolan.registration_tokens
    ADD CONSTRAINT registration_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.request_minutes
    ADD CONSTRAINT request_minutes_pkey PRIMARY KEY (minute, host);

ALTER TABLE ONLY portolan.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (number);

ALTER TABLE ONLY portolan.row_comments
    ADD CONSTRAINT row_comments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.row_security
    ADD CONSTRAINT row_security_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.rule_map
    ADD CONSTRAINT rule_map_pkey PRIMARY KEY (relation, command, priority, id);

ALTER TABLE ONLY portolan.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.saved_versions
    ADD CONSTRAINT saved_versions_pkey PRIMARY KEY (noun, name, version);

ALTER TABLE ONLY portolan.sessions
    ADD CONSTRAINT sessions_console_hash_key UNIQUE (console_hash);

ALTER TABLE ONLY portolan.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.shard_positions
    ADD CONSTRAINT shard_positions_pkey PRIMARY KEY (node);

ALTER TABLE ONLY portolan.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.sign_ups
    ADD CONSTRAINT sign_ups_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY portolan.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

ALTER TABLE ONLY portolan.styles
    ADD CONSTRAINT styles_pkey PRIMARY KEY (relation, name);

ALTER TABLE ONLY portolan.timeline
    ADD CONSTRAINT timeline_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.used_ids
    ADD CONSTRAINT used_ids_pkey PRIMARY KEY (id);

ALTER TABLE ONLY portolan.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.versioned_columns
    ADD CONSTRAINT versioned_columns_pkey PRIMARY KEY (relation, attnum);

ALTER TABLE ONLY portolan.versioned_tables
    ADD CONSTRAINT versioned_tables_pkey PRIMARY KEY (relation);

ALTER TABLE ONLY portolan.views
    ADD CONSTRAINT views_pkey PRIMARY KEY (name);

ALTER TABLE ONLY portolan.workflow_roles
    ADD CONSTRAINT workflow_roles_pkey PRIMARY KEY (relation, user_name);

ALTER TABLE ONLY portolan.workflow_tables
    ADD CONSTRAINT workflow_tables_pkey PRIMARY KEY (relation);

CREATE INDEX agents_last_at ON portolan.agents USING btree (last_at);

CREATE INDEX audit_at ON portolan.audit USING btree (at);

CREATE INDEX authorization_codes_client_id ON portolan.authorization_codes USING btree (client_id);

CREATE INDEX authorization_codes_expires_at ON portolan.authorization_codes USING btree (expires_at);

CREATE INDEX authorization_codes_family ON portolan.authorization_codes USING btree (family);

CREATE INDEX authorization_codes_user_name ON portolan.authorization_codes USING btree (user_name);

CREATE INDEX clients_account ON portolan.clients USING btree (account);

CREATE INDEX consents_client_id ON portolan.consents USING btree (client_id);

CREATE INDEX dashboards_owner ON portolan.dashboards USING btree (owner);

CREATE INDEX device_requests_address ON portolan.device_requests USING btree (address);

CREATE INDEX device_requests_client_id ON portolan.device_requests USING btree (client_id);

CREATE INDEX device_requests_expires_at ON portolan.device_requests USING btree (expires_at);

CREATE INDEX device_requests_family ON portolan.device_requests USING btree (family);

CREATE INDEX device_requests_user_name ON portolan.device_requests USING btree (user_name);

CREATE INDEX downloads_account ON portolan.downloads USING btree (account);

CREATE INDEX downloads_job ON portolan.downloads USING btree (job);

CREATE UNIQUE INDEX factors_one_totp ON portolan.factors USING btree (user_name) WHERE (kind = 'totp'::text);

CREATE INDEX factors_user_name ON portolan.factors USING btree (user_name);

CREATE INDEX identities_user_name ON portolan.identities USING btree (user_name);

CREATE UNIQUE INDEX jobs_unfinished ON portolan.jobs USING btree (kind, relation) WHERE ((state = ANY (ARRAY['queued'::text, 'running'::text])) AND (kind <> ALL (ARRAY['import'::text, 'download'::text, 'tiles'::text])));

CREATE INDEX known_addresses_signed_in_at ON portolan.known_addresses USING btree (signed_in_at);

CREATE INDEX lockouts_last_failure_at ON portolan.lockouts USING btree (last_failure_at);

CREATE INDEX lockouts_user_name ON portolan.lockouts USING btree (user_name) WHERE (user_name IS NOT NULL);

CREATE INDEX logouts_client_id ON portolan.logouts USING btree (client_id);

CREATE INDEX logouts_next_at ON portolan.logouts USING btree (next_at);

CREATE INDEX maps_owner ON portolan.maps USING btree (owner);

CREATE INDEX methods_owner ON portolan.methods USING btree (owner);

CREATE INDEX one_time_links_user_name ON portolan.one_time_links USING btree (user_name);

CREATE INDEX outbox_xid ON portolan.outbox USING btree (xid);

CREATE INDEX privileges_user_name ON portolan.privileges USING btree (user_name);

CREATE INDEX pyramid_areas_pyramid ON portolan.pyramid_areas USING btree (pyramid);

CREATE INDEX queries_owner ON portolan.queries USING btree (owner);

CREATE INDEX refresh_tokens_family ON portolan.refresh_tokens USING btree (family);

CREATE INDEX refresh_tokens_rotated_at ON portolan.refresh_tokens USING btree (rotated_at) WHERE (rotated_at IS NOT NULL);

CREATE INDEX requests_error_id ON portolan.requests USING btree (error_id) WHERE (error_id IS NOT NULL);

CREATE INDEX requests_id ON portolan.requests USING btree (id);

CREATE INDEX requests_refusals ON portolan.requests USING btree (account, number DESC) WHERE (code IS NOT NULL);

CREATE INDEX requests_session ON portolan.requests USING btree (session, number) WHERE (session IS NOT NULL);

CREATE INDEX row_comments_author ON portolan.row_comments USING btree (author);

CREATE INDEX row_comments_of_row ON portolan.row_comments USING btree (relation, key, id);

CREATE INDEX row_comments_of_table ON portolan.row_comments USING btree (relation, id);

CREATE INDEX saved_versions_owner ON portolan.saved_versions USING btree (owner);

CREATE INDEX sessions_expires_at ON portolan.sessions USING btree (expires_at);

CREATE INDEX sessions_user_name ON portolan.sessions USING btree (user_name);

CREATE INDEX shapes_relation_stamp ON portolan.shapes USING btree (relation, stamp);

CREATE INDEX sign_ins_expires_at ON portolan.sign_ins USING btree (expires_at);

CREATE INDEX sign_ins_user_name ON portolan.sign_ins USING btree (user_name);

CREATE INDEX sign_ups_email ON portolan.sign_ups USING btree (lower(email));

CREATE INDEX sign_ups_expires_at ON portolan.sign_ups USING btree (expires_at);

CREATE UNIQUE INDEX styles_one_default ON portolan.styles USING btree (relation) WHERE is_default;

CREATE INDEX token_families_client_id ON portolan.token_families USING btree (client_id);

CREATE INDEX token_families_expires_at ON portolan.token_families USING btree (expires_at);

CREATE INDEX token_families_sid ON portolan.token_families USING btree (((asked ->> 'sid'::text))) WHERE (asked ? 'sid'::text);

CREATE INDEX token_families_user_name ON portolan.token_families USING btree (user_name);

CREATE INDEX users_email ON portolan.users USING btree (lower(email));

CREATE UNIQUE INDEX users_one_default_user ON portolan.users USING btree (default_user) WHERE default_user;

CREATE INDEX users_role ON portolan.users USING btree (role);

CREATE INDEX users_role_name ON portolan.users USING btree (role COLLATE "C", name);

CREATE INDEX users_user_group ON portolan.users USING btree (user_group);

CREATE INDEX views_owner ON portolan.views USING btree (owner);

CREATE INDEX views_relation ON portolan.views USING btree (relation);

CREATE INDEX workflow_roles_user_name ON portolan.workflow_roles USING btree (user_name);

CREATE TRIGGER _000_one_at_a_time BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.rules FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__one_at_a_time();

CREATE TRIGGER _000_refuse_own_sql BEFORE INSERT OR DELETE OR UPDATE ON portolan.methods FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_methods__refuse_own_sql();

CREATE TRIGGER _050_keep_built_in BEFORE DELETE OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg_clients__keep_built_in();

CREATE TRIGGER _050_keep_built_in_all BEFORE TRUNCATE ON portolan.clients FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_clients__keep_built_in();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE ON portolan.dashboards FOR EACH ROW EXECUTE FUNCTION portolan.tg_dashboards__check();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE ON portolan.maps FOR EACH ROW EXECUTE FUNCTION portolan.tg_maps__check();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE ON portolan.methods FOR EACH ROW EXECUTE FUNCTION portolan.tg_methods__check();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE ON portolan.queries FOR EACH ROW EXECUTE FUNCTION portolan.tg_queries__check();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE OF body ON portolan.row_comments FOR EACH ROW EXECUTE FUNCTION portolan.tg_row_comments__check();

CREATE TRIGGER _100_check BEFORE INSERT OR UPDATE ON portolan.views FOR EACH ROW EXECUTE FUNCTION portolan.tg_views__check();

CREATE TRIGGER _100_check_client BEFORE INSERT OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg_clients__check();

CREATE TRIGGER _100_check_rule BEFORE INSERT OR UPDATE ON portolan.rules FOR EACH ROW EXECUTE FUNCTION portolan.tg_rules__check();

CREATE TRIGGER _110_check_hints BEFORE INSERT OR UPDATE OF type_hints ON portolan.methods FOR EACH ROW WHEN ((new.type_hints IS NOT NULL)) EXECUTE FUNCTION portolan.tg_methods__check_hints();

CREATE TRIGGER _110_check_shared BEFORE INSERT OR UPDATE OF shared ON portolan.dashboards FOR EACH ROW EXECUTE FUNCTION portolan.tg__check_shared();

CREATE TRIGGER _110_check_shared BEFORE INSERT OR UPDATE OF shared ON portolan.maps FOR EACH ROW EXECUTE FUNCTION portolan.tg__check_shared();

CREATE TRIGGER _110_check_shared BEFORE INSERT OR UPDATE OF shared ON portolan.queries FOR EACH ROW EXECUTE FUNCTION portolan.tg__check_shared();

CREATE TRIGGER _110_check_shared BEFORE INSERT OR UPDATE OF shared ON portolan.views FOR EACH ROW EXECUTE FUNCTION portolan.tg__check_shared();

CREATE TRIGGER _120_own_saved BEFORE INSERT OR UPDATE ON portolan.dashboards FOR EACH ROW EXECUTE FUNCTION portolan.tg__own_saved();

CREATE TRIGGER _120_own_saved BEFORE INSERT OR UPDATE ON portolan.maps FOR EACH ROW EXECUTE FUNCTION portolan.tg__own_saved();

CREATE TRIGGER _120_own_saved BEFORE INSERT OR UPDATE ON portolan.queries FOR EACH ROW EXECUTE FUNCTION portolan.tg__own_saved();

CREATE TRIGGER _120_own_saved BEFORE INSERT OR UPDATE ON portolan.views FOR EACH ROW EXECUTE FUNCTION portolan.tg__own_saved();

CREATE TRIGGER _200_forget_shared AFTER DELETE ON portolan.users FOR EACH ROW EXECUTE FUNCTION portolan.tg_users__forget_shared();

CREATE TRIGGER _210_forget_shared AFTER UPDATE ON portolan.users FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION portolan.tg_users__forget_shared();

CREATE TRIGGER _500_compile_inserted AFTER INSERT ON portolan.rules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__compile();

CREATE TRIGGER _500_compile_removed AFTER DELETE OR TRUNCATE ON portolan.rules FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__compile();

CREATE TRIGGER _500_compile_updated AFTER UPDATE ON portolan.rules REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_rules__compile();

CREATE TRIGGER _500_count_added AFTER INSERT ON portolan.pyramid_tiles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_pyramid_tiles__count('new');

CREATE TRIGGER _500_count_changed AFTER UPDATE ON portolan.pyramid_tiles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_pyramid_tiles__count('both');

CREATE TRIGGER _500_count_removed AFTER DELETE ON portolan.pyramid_tiles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg_pyramid_tiles__count('old');

CREATE CONSTRAINT TRIGGER _500_follow AFTER INSERT ON portolan.ddl_on_shards DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION portolan.tg_ddl_on_shards__follow();

CREATE TRIGGER _500_updated BEFORE UPDATE OF email, email_verified, properties ON portolan.users FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR (old.email_verified <> new.email_verified) OR (old.properties <> new.properties))) EXECUTE FUNCTION portolan.tg_users__updated();

CREATE TRIGGER _700_limit_saved AFTER INSERT ON portolan.dashboards REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__limit_saved('dashboard');

CREATE TRIGGER _700_limit_saved AFTER INSERT ON portolan.maps REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__limit_saved('map');

CREATE TRIGGER _700_limit_saved AFTER INSERT ON portolan.methods REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__limit_saved('method');

CREATE TRIGGER _700_limit_saved AFTER INSERT ON portolan.queries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__limit_saved('query');

CREATE TRIGGER _700_limit_saved AFTER INSERT ON portolan.views REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__limit_saved('view');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.authentication FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('authentication', '{relation}', '{level}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.clients FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('client');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.dashboards FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('dashboard', '{name}', '{title, owner, shared, panels}');

CREATE TRIGGER _800_audit_change AFTER UPDATE ON portolan.event_tables FOR EACH ROW WHEN ((old.setting IS DISTINCT FROM new.setting)) EXECUTE FUNCTION portolan.tg__audit_setting('events', '{relation}', '{setting}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.logins FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('login', '{role}', '{kind}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.maps FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('map', '{name}', '{title, owner, shared, view, layers}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.methods FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('method', '{method}', '{
    q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, owner, published}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.privileges FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('privilege', '{relation, user_name}', '{privilege}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.queries FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('query', '{name}', '{title, owner, shared, q, chart}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.rasters FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('raster', '{relation}', '{file}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.row_comments FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('comment', '{id, relation, key}', '{body}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.rules FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('rule');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.styles FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('style', '{relation, name}', '{style, title, is_default}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.users FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_change('user');

CREATE TRIGGER _800_audit_change AFTER UPDATE ON portolan.versioned_tables FOR EACH ROW WHEN ((old.active <> new.active)) EXECUTE FUNCTION portolan.tg__audit_setting('versioning', '{relation}', '{active}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.views FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('view', '{name}', '{title, owner, shared, relation, kind, filter, sort, columns, fields}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE OR UPDATE ON portolan.workflow_roles FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('workflow_role', '{relation, user_name}', '{level}');

CREATE TRIGGER _800_audit_change AFTER INSERT OR DELETE ON portolan.workflow_tables FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('workflow', '{relation}', '{}');

CREATE TRIGGER _800_audit_insert AFTER INSERT ON portolan.event_tables FOR EACH ROW WHEN ((new.setting IS NOT NULL)) EXECUTE FUNCTION portolan.tg__audit_setting('events', '{relation}', '{setting}');

CREATE TRIGGER _800_audit_removal AFTER DELETE ON portolan.event_tables FOR EACH ROW WHEN ((old.setting IS NOT NULL)) EXECUTE FUNCTION portolan.tg__audit_setting('events', '{relation}', '{setting}');

CREATE TRIGGER _800_audit_removal AFTER DELETE ON portolan.versioned_tables FOR EACH ROW EXECUTE FUNCTION portolan.tg__audit_setting('versioning', '{relation}', '{history}');

CREATE TRIGGER _810_keep_version AFTER INSERT OR DELETE OR UPDATE ON portolan.dashboards FOR EACH ROW EXECUTE FUNCTION portolan.tg__keep_version('dashboard');

CREATE TRIGGER _810_keep_version AFTER INSERT OR DELETE OR UPDATE ON portolan.maps FOR EACH ROW EXECUTE FUNCTION portolan.tg__keep_version('map');

CREATE TRIGGER _810_keep_version AFTER INSERT OR DELETE OR UPDATE ON portolan.queries FOR EACH ROW EXECUTE FUNCTION portolan.tg__keep_version('query');

CREATE TRIGGER _810_keep_version AFTER INSERT OR DELETE OR UPDATE ON portolan.views FOR EACH ROW EXECUTE FUNCTION portolan.tg__keep_version('view');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON portolan.clients FOR EACH STATEMENT EXECUTE FUNCTION portolan.tg__bump_generation('clients');

CREATE TRIGGER _900_bump_generation AFTER INSERT OR DELETE ON portolan.factors FOR EACH ROW EXECUTE FUNCTION portolan.tg__bump_generation('tokens');

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

ALTER TABLE ONLY portolan.client_uses
    ADD CONSTRAINT client_uses_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.clients
    ADD CONSTRAINT clients_account_fkey FOREIGN KEY (account) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.consents
    ADD CONSTRAINT consents_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.consents
    ADD CONSTRAINT consents_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.dashboards
    ADD CONSTRAINT dashboards_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_family_fkey FOREIGN KEY (family) REFERENCES portolan.token_families(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.device_requests
    ADD CONSTRAINT device_requests_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.download_parts
    ADD CONSTRAINT download_parts_download_fkey FOREIGN KEY (download) REFERENCES portolan.downloads(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.downloads
    ADD CONSTRAINT downloads_account_fkey FOREIGN KEY (account) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.downloads
    ADD CONSTRAINT downloads_job_fkey FOREIGN KEY (job) REFERENCES portolan.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.factors
    ADD CONSTRAINT factors_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.identities
    ADD CONSTRAINT identities_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.known_addresses
    ADD CONSTRAINT known_addresses_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.last_sign_ins
    ADD CONSTRAINT last_sign_ins_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.logouts
    ADD CONSTRAINT logouts_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.maps
    ADD CONSTRAINT maps_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.methods
    ADD CONSTRAINT methods_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.one_time_links
    ADD CONSTRAINT one_time_links_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.privileges
    ADD CONSTRAINT privileges_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.pyramid_areas
    ADD CONSTRAINT pyramid_areas_pyramid_fkey FOREIGN KEY (pyramid) REFERENCES portolan.pyramids(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.pyramid_tiles
    ADD CONSTRAINT pyramid_tiles_pyramid_fkey FOREIGN KEY (pyramid) REFERENCES portolan.pyramids(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.pyramids
    ADD CONSTRAINT pyramids_account_fkey FOREIGN KEY (account) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.pyramids
    ADD CONSTRAINT pyramids_job_fkey FOREIGN KEY (job) REFERENCES portolan.jobs(id) ON DELETE SET NULL;

ALTER TABLE ONLY portolan.queries
    ADD CONSTRAINT queries_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.recovery_codes
    ADD CONSTRAINT recovery_codes_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.refresh_tokens
    ADD CONSTRAINT refresh_tokens_family_fkey FOREIGN KEY (family) REFERENCES portolan.token_families(id) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.row_comments
    ADD CONSTRAINT row_comments_author_fkey FOREIGN KEY (author) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.saved_versions
    ADD CONSTRAINT saved_versions_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.sessions
    ADD CONSTRAINT sessions_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.sign_ins
    ADD CONSTRAINT sign_ins_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_client_id_fkey FOREIGN KEY (client_id) REFERENCES portolan.clients(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.token_families
    ADD CONSTRAINT token_families_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY portolan.users
    ADD CONSTRAINT users_user_group_fkey FOREIGN KEY (user_group) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE ONLY portolan.versioned_columns
    ADD CONSTRAINT versioned_columns_relation_fkey FOREIGN KEY (relation) REFERENCES portolan.versioned_tables(relation) ON DELETE CASCADE;

ALTER TABLE ONLY portolan.views
    ADD CONSTRAINT views_owner_fkey FOREIGN KEY (owner) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE ONLY portolan.workflow_roles
    ADD CONSTRAINT workflow_roles_user_name_fkey FOREIGN KEY (user_name) REFERENCES portolan.users(name) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE POLICY change_comments ON portolan.row_comments FOR UPDATE USING ((author = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))));

CREATE POLICY change_dashboards ON portolan.dashboards FOR UPDATE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY change_maps ON portolan.maps FOR UPDATE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY change_methods ON portolan.methods FOR UPDATE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY change_queries ON portolan.queries FOR UPDATE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY change_views ON portolan.views FOR UPDATE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

ALTER TABLE portolan.dashboards ENABLE ROW LEVEL SECURITY;

CREATE POLICY drop_comments ON portolan.row_comments FOR DELETE USING (((author = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY drop_dashboards ON portolan.dashboards FOR DELETE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY drop_maps ON portolan.maps FOR DELETE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY drop_methods ON portolan.methods FOR DELETE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY drop_queries ON portolan.queries FOR DELETE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY drop_views ON portolan.views FOR DELETE USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

ALTER TABLE portolan.gateways ENABLE ROW LEVEL SECURITY;

CREATE POLICY make_comments ON portolan.row_comments FOR INSERT WITH CHECK ((author = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))));

CREATE POLICY make_dashboards ON portolan.dashboards FOR INSERT WITH CHECK (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY make_maps ON portolan.maps FOR INSERT WITH CHECK (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY make_methods ON portolan.methods FOR INSERT WITH CHECK (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY make_queries ON portolan.queries FOR INSERT WITH CHECK (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY make_views ON portolan.views FOR INSERT WITH CHECK (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

ALTER TABLE portolan.maps ENABLE ROW LEVEL SECURITY;

ALTER TABLE portolan.methods ENABLE ROW LEVEL SECURITY;

ALTER TABLE portolan.queries ENABLE ROW LEVEL SECURITY;

CREATE POLICY read_comments ON portolan.row_comments FOR SELECT USING ((( SELECT portolan.is_super_user() AS is_super_user) OR ((EXISTS ( SELECT
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) AND (portolan.seen_key(relation, key) IS NOT NULL))));

CREATE POLICY read_dashboards ON portolan.dashboards FOR SELECT USING (((shared && ( SELECT portolan.my_names() AS my_names)) OR (owner = ( SELECT m.name
   FROM portolan.me m)) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY read_maps ON portolan.maps FOR SELECT USING (((shared && ( SELECT portolan.my_names() AS my_names)) OR (owner = ( SELECT m.name
   FROM portolan.me m)) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY read_methods ON portolan.methods FOR SELECT USING ((published OR (owner = ( SELECT m.name
   FROM portolan.me m)) OR ( SELECT portolan.is_super_user() AS is_super_user) OR portolan.is_of_super_user(method)));

CREATE POLICY read_queries ON portolan.queries FOR SELECT USING (((shared && ( SELECT portolan.my_names() AS my_names)) OR (owner = ( SELECT m.name
   FROM portolan.me m)) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY read_versions ON portolan.saved_versions FOR SELECT USING (((owner = ( SELECT m.name
   FROM portolan.me m
  WHERE (m.name <> 'anonymous'::text))) OR ( SELECT portolan.is_super_user() AS is_super_user)));

CREATE POLICY read_views ON portolan.views FOR SELECT USING (((shared && ( SELECT portolan.my_names() AS my_names)) OR (owner = ( SELECT m.name
   FROM portolan.me m)) OR ( SELECT portolan.is_super_user() AS is_super_user)));

ALTER TABLE portolan.row_comments ENABLE ROW LEVEL SECURITY;

ALTER TABLE portolan.saved_versions ENABLE ROW LEVEL SECURITY;

ALTER TABLE portolan.views ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA portolan TO PUBLIC;

REVOKE ALL ON FUNCTION portolan.access_findings() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.access_findings() TO gateway;

REVOKE ALL ON FUNCTION portolan.account_name(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.actor() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.add_identity(account text, issuer text, subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.add_identity(account text, issuer text, subject text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.add_passkey(name text, label text, credential text, public_key text, counter bigint, transports text[], codes text[], address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.add_passkey(name text, label text, credential text, public_key text, counter bigint, transports text[], codes text[], address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.add_totp(name text, secret text, step bigint, codes text[], address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.add_totp(name text, secret text, step bigint, codes text[], address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.add_workflow_history(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.adopt_role(name text, role text, password text, email text, properties jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.after_shards(tables jsonb) FROM PUBLIC;

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

REVOKE ALL ON FUNCTION portolan.author_types(type oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.authors() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.authors_schemas() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.authors_schemas() TO gateway;

REVOKE ALL ON FUNCTION portolan.awaits_shards(command text, objects oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.backend_started(pid integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.base_type(type oid, modifier integer, OUT oid oid, OUT name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.before_shards(relation regclass, change jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.begin_download(relation regclass, account text, collection text, format text, seconds integer, OUT id text, OUT job bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.begin_download(relation regclass, account text, collection text, format text, seconds integer, OUT id text, OUT job bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.begin_import(relation regclass, account text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.begin_import(relation regclass, account text) TO gateway;

REVOKE ALL ON FUNCTION portolan.begin_pyramid(id bigint, form text, rights jsonb, srid integer, edge double precision, top double precision, span double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.begin_pyramid(id bigint, form text, rights jsonb, srid integer, edge double precision, top double precision, span double precision) TO gateway;

REVOKE ALL ON FUNCTION portolan.begin_shards(relation regclass, change jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.begin_sign_in(hash text, user_name text, secret text, challenge text, upstream jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.begin_sign_in(hash text, user_name text, secret text, challenge text, upstream jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.begin_sign_up(name text, email text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.begin_sign_up(name text, email text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.bind_map_session(ticket text, login text, ip inet, account text, service text, claims jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.bind_map_session(ticket text, login text, ip inet, account text, service text, claims jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text, service text, claims jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.bind_own_session(pid integer, login text, ip inet, account text, service text, claims jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.caller_address() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.calling_account() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.cancel_statement(pid integer, started timestamp with time zone) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.catalogue(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.catalogue(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.change_history_column(history regclass, name name, type oid, sql_type text, "collation" text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.change_registration(id text, members jsonb, metadata jsonb, document boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.change_registration(id text, members jsonb, metadata jsonb, document boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.changed_own_parts() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.changed_own_parts() TO gateway;

REVOKE ALL ON FUNCTION portolan.check_client_members(members jsonb) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.users TO gateway;

REVOKE ALL ON FUNCTION portolan.check_default_user(account portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_distribution(relation regclass, column_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_followed(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_groups(name text, groups text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_raster_file(file text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_recorded(relation regclass, what text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_relation(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_rule_names(username text, schema text, "table" text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_shape_owner(catalogue regclass, object oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_shards(relation regclass, change jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_twin(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_versioning(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.check_workflow(relation regclass) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.pyramids TO gateway;

REVOKE ALL ON FUNCTION portolan.claim_pyramid() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.claim_pyramid() TO gateway;

REVOKE ALL ON FUNCTION portolan.clear_event_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.clear_events(max_age_ms double precision, max_bytes double precision) TO gateway;

REVOKE ALL ON FUNCTION portolan.clear_expired(audit_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.clear_expired(audit_days integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.close_history(history regclass, at timestamp with time zone, "where" text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.close_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.close_relation(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.cluster_findings() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.cluster_findings() TO gateway;

REVOKE ALL ON FUNCTION portolan.code_edges() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.code_in_filter(relation regclass, filter text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.code_in_text() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.code_in_value(type oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.code_label(class oid, object oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.code_owners(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.code_owners(relation regclass) TO "owner@database";
GRANT ALL ON FUNCTION portolan.code_owners(relation regclass) TO gateway;

REVOKE ALL ON FUNCTION portolan.code_reach() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.code_reach() TO gateway;

REVOKE ALL ON FUNCTION portolan.code_seeds() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.code_stamp() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.code_stamp() TO gateway;

REVOKE ALL ON FUNCTION portolan.collections(schemas text[], plain boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.collections(schemas text[], plain boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.column_grants(relation regclass, role text, columns jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.column_privileges_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.column_privileges_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.compile(written integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.configuration() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.configuration() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.configuration_changes(configuration jsonb, prune boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.configuration_entries(configuration jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.copy_portion(relation regclass, member regclass, history regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text, refresh_reuse text, account text, more jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_client(id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text, description text, refresh_reuse text, account text, more jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_raster(schema_name text, table_name text, file text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_rule(rule jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_rule(rule jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.create_user(name text, password text, email text, user_group text, properties jsonb, superuser boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.cut_batch(own_term bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.cut_batch(own_term bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.database_identity() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.derived_password(role text, version integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.disable_events(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_events(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean, wait boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_versioning(relation regclass, drop_history boolean, wait boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.disable_workflow(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.disable_workflow(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_as_of(history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_client(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_client(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_indexes_with_code(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_own_triggers(member oid, kind text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_protection(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.drop_pyramid(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_pyramid(id bigint) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_raster(schema_name text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_raster(schema_name text, table_name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_registration_token(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_registration_token(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_rule(id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.drop_rule(id integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.drop_runners() FROM PUBLIC;

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

REVOKE ALL ON FUNCTION portolan.end_guests(user_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.end_history(relation regclass, drop_history boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.end_identity(name text, id text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.end_identity(name text, id text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.end_lost_versions(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.end_own_sessions(login text, pid integer, late_ms integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.end_own_sessions(login text, pid integer, late_ms integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.end_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.end_registration(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.end_registration(id text) TO gateway;

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

REVOKE ALL ON FUNCTION portolan.existing_account(name text) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.clients TO gateway;

REVOKE ALL ON FUNCTION portolan.existing_client(id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.existing_raster(schema_name text, table_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.explain_access(user_name text, relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.explain_access(user_name text, relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.explain_failure(request portolan.requests, is_super boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.exposed_schemas() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.exposed_schemas() TO gateway;

GRANT SELECT ON TABLE portolan.jobs TO gateway;

REVOKE ALL ON FUNCTION portolan.failed_jobs() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.failed_jobs() TO gateway;

REVOKE ALL ON FUNCTION portolan.fill_history(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.filter_problem(policy oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.filter_sql(relation regclass, filter text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.filter_tokens(expression text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.finish_sign_up(hash text, password_hash text, user_group text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.finish_sign_up(hash text, password_hash text, user_group text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.fleet() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.fleet() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.follow_console(redirect_uri text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.follow_console(redirect_uri text) TO gateway;

REVOKE ALL ON FUNCTION portolan.follow_ddl() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.follow_ddl() TO gateway;

REVOKE ALL ON FUNCTION portolan.follow_groups(name text, mapped text[], given text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.follow_groups(name text, mapped text[], given text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.follow_groups_on_shards() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.follow_history() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.follow_shards(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.forget_login(role text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.forgotten_password(identifier text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.forgotten_password(identifier text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.grant_on(relation regclass, statement text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.grant_role(role text, member text, inherit boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.group_list(groups jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.group_problem(user_group text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.group_problem(user_group text) TO gateway;

REVOKE ALL ON FUNCTION portolan.groups_of(account text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.groups_of(account text) TO gateway;

REVOKE ALL ON FUNCTION portolan.guest_family(client_id text, user_name text, token_version bigint, lifetime integer, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.guest_family(client_id text, user_name text, token_version bigint, lifetime integer, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.harden() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.has_authors() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.has_authors() TO gateway;

REVOKE ALL ON FUNCTION portolan.has_bare_text(expression text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.has_citus() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.has_citus() TO gateway;

REVOKE ALL ON FUNCTION portolan.hash_password(password text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.held_lock(role text, schemas text[], names text[], requests text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.held_lock(role text, schemas text[], names text[], requests text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.history_columns(relation regclass, prefix text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_in_outbox(relation regclass, member oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_indexes(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_key_match(relation regclass, one text, other text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_of_new_rows(relation regclass, member oid, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_of_old_rows(relation regclass, member oid, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_of_truncate(relation regclass, member oid, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_of_uncopied_rows(relation regclass, member oid, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_stamp(relation oid, history oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.history_trigger_body(relation regclass, member oid, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hmac_keys(key bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hmac_sha256(key bytea, message bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hold_definitions(relations oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hold_schema(schema oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hold_table(relation regclass, reads boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.hold_type(type oid, name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.index_advice(columns jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.index_advice(columns jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.index_history(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_ddl_trigger() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_history(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_history_triggers(relation regclass, member regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.install_workflow(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.invite_user(name text, lifetime interval) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.invite_user(name text, lifetime interval) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.is_built_in_client(id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_core_owner(role oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_core_schema(schema oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_fapi2_client(client portolan.clients) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_followed(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_large(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_new_object(catalogue regclass, object oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_redirect_uri(uri text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_restored() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.is_restored() TO gateway;

REVOKE ALL ON FUNCTION portolan.is_settled(stamp text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.is_settled(stamp text) TO gateway;

REVOKE ALL ON FUNCTION portolan.is_shown(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_team_relation(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.is_trusted(role oid) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.is_trusted(role oid) TO gateway;

REVOKE ALL ON FUNCTION portolan.is_versioned(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.is_versioned(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.join_log_run() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.join_nodes() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.join_roles(accounts text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.judge_sql(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.keep_shards(own_term bigint, upto jsonb, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.keep_shards(own_term bigint, upto jsonb, changes jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.keep_way_in(name text, ways text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.keep_way_in(name text, ways text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.last_refusal(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.last_refusal(id text) TO gateway;

REVOKE ALL ON FUNCTION portolan.leaky_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.leave_rest() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.leave_rest() TO gateway;

REVOKE ALL ON FUNCTION portolan.leave_shard(node integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.leave_shard(node integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.leave_shards(members oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.leaving_code() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.lift_lockout(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.lift_lockout(name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.like_pattern(glob text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.link_identity(name text, identity jsonb, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.link_identity(name text, identity jsonb, address text) TO gateway;

GRANT INSERT ON TABLE portolan.audit TO gateway;

REVOKE ALL ON FUNCTION portolan.list_audit(event text, account text, since timestamp with time zone, before bigint, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_audit(event text, account text, since timestamp with time zone, before bigint, most integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_clients(ids text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_clients(ids text[]) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_extensions() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_extensions() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_pyramids() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_pyramids() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_rasters() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_rasters() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_registration_tokens() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_registration_tokens() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_requests(id text, status text, account text, error_id text, since timestamp with time zone, least_ms real, before bigint, most integer, code text, door text, relation text, until timestamp with time zone, client text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_requests(id text, status text, account text, error_id text, since timestamp with time zone, least_ms real, before bigint, most integer, code text, door text, relation text, until timestamp with time zone, client text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_rules(ids integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_rules(ids integer[]) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_sizes() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_sizes() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_statements() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_statements() TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_statistics(since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_statistics(since timestamp with time zone) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_styles(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_styles(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.list_top_statements(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.list_top_statements(most integer) TO "owner@database";

GRANT SELECT ON TABLE portolan.logins TO gateway;

GRANT SELECT ON TABLE portolan.me TO PUBLIC;

GRANT SELECT ON TABLE portolan.visible_users TO PUBLIC;

REVOKE ALL ON FUNCTION portolan.live_ids() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.live_ids() TO gateway;

REVOKE ALL ON FUNCTION portolan.lock_holders(relation regclass, mode text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.lock_own(relation regclass, mode text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.logged_columns(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.lost_by_shards(type oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.made_at(account text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.made_protection(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_as_of(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_history_function(relation regclass, member regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_shard_slot(node integer, anew boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.make_workflow(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mark_leakproof() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.members_stamp(members oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mend_rights(recorded boolean, restored boolean) FROM PUBLIC;

GRANT SELECT ON TABLE portolan.methods TO PUBLIC;
GRANT DELETE ON TABLE portolan.methods TO "owner@database";

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

REVOKE ALL ON FUNCTION portolan.mirror_policy(relation regclass, history regclass, name name, rest text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.mirror_rights(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.missing_owner_rights(schemas text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.missing_parts() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.missing_parts() TO gateway;

REVOKE ALL ON FUNCTION portolan.missing_table_rights(tables oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.move_roles(before portolan.users, after portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.named_relation(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.names_in_filter(relation regclass, filter text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.new_link(name text, purpose text, lifetime interval, email text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.new_secret() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.next_blocks(blocks bigint, began timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.node_login(account portolan.users) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_agents(agents jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_agents(agents jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_client_use(client_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_client_use(client_id text) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_download(id text, done bigint, state text, error text, file jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_download(id text, done bigint, state text, error text, file jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_factor(name text, factor jsonb, codes text[], address text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_gateway(backend_started timestamp with time zone, own_figures jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_identity_use(issuer text, subject text, network text, signs_in boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_identity_use(issuer text, subject text, network text, signs_in boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_import(id bigint, done bigint, total bigint, state text, error text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_import(id bigint, done bigint, total bigint, state text, error text) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_method_types(method text, q text, input_schema json, output_schema json, relations oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_mfa(mode text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_mfa(mode text) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_own_parts(migrated boolean, coded boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_pyramid(job bigint, done bigint, state text, error text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_pyramid(job bigint, done bigint, state text, error text) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_requests(host text, process integer, figures jsonb, entries jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_rights() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_rights() TO gateway;

REVOKE ALL ON FUNCTION portolan.note_schemas(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_schemas(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_settled(stamp text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_settled(stamp text) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_shape(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_shards(relation regclass, before jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.note_sign_in(name text, address text, via text, network text, amr text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_sign_in(name text, address text, via text, network text, amr text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.note_trust(owners text[], functions text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.note_trust(owners text[], functions text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.obedient_view(view regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.one_at_a_time() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.open_doors() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.open_doors() TO gateway;

REVOKE ALL ON FUNCTION portolan.own_account() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.own_login(name text, verifier text, version integer, connections integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.own_parts() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.own_parts_stamp() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.own_things() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.part_from(original text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.parts_of_tables() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.place_history(relation regclass, history regclass, schema text, name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.planned_code(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.planned_columns(relation oid, stamp bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.planned_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.policies_with_code(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer, resource text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.poll_device(device_code_hash text, client_id text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer, resource text) TO gateway;

REVOKE ALL ON FUNCTION portolan.pool_login(verifier text, connections integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.pool_login(verifier text, connections integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.pool_role() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.pool_role() TO gateway;

REVOKE ALL ON FUNCTION portolan.prepare_history(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.privileges_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.privileges_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.protect(relation regclass, written integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.protect_by_rules(relation regclass, written integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.protect_by_workflow(relation regclass, root regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.protect_shards(relation regclass, written integer[], opened boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.providers_of() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.providers_of() TO gateway;

REVOKE ALL ON FUNCTION portolan.put_client(id text, changes jsonb, imposed jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.pyramid_problem(relation regclass, account text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.pyramid_problem(relation regclass, account text) TO gateway;

REVOKE ALL ON FUNCTION portolan.pyramid_shape(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.queue_job(kind text, relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.read_batch(batch bigint, tables oid[], after_last bigint, after_id bigint, bytes bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.read_filter(filter text, OUT condition text, OUT keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.read_shard(node integer, most integer, bytes integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.read_shard(node integer, most integer, bytes integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.reads_alone() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.reads_alone() TO gateway;

REVOKE ALL ON FUNCTION portolan.recovery_codes_of(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.recovery_codes_of(name text) TO gateway;

REVOKE ALL ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.redeem_link(hash text, password_hash text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.refresh_mirror(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refresh_outcome(family uuid, token uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.refresh_outcome(family uuid, token uuid) TO gateway;

REVOKE ALL ON FUNCTION portolan.refresh_pyramid(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.refresh_pyramid(id bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.refuse_locked(relation regclass, mode text, message text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refuse_rule_for(relation regclass, kind "char") FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refuse_sharded(relation regclass, what text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refuse_version(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.refusing_relations() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.refusing_relations() TO gateway;

REVOKE ALL ON FUNCTION portolan.register_client(id text, members jsonb, metadata jsonb, initial text, registration text, network text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.register_client(id text, members jsonb, metadata jsonb, initial text, registration text, network text) TO gateway;

REVOKE ALL ON FUNCTION portolan.register_login(login text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.registration_token(uses integer, lifetime interval, members jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.registration_token(uses integer, lifetime interval, members jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rehash_password(name text, known text, password_hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.relation_of(schema_name text, table_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.relation_of(schema_name text, table_name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.release_lease(own_term bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.release_lease(own_term bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.release_own_session(pid integer, login text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.release_own_session(pid integer, login text) TO gateway;

REVOKE ALL ON FUNCTION portolan.remove_events(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.remove_factor(name text, id text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.remove_factor(name text, id text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.repair_roles(regrant boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.requests_search_path(path text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.requests_search_path(path text) TO gateway;

REVOKE ALL ON FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) TO ".pool@database";
GRANT ALL ON FUNCTION portolan.require_replayed(timeline integer, lsn pg_lsn) TO gateway;

REVOKE ALL ON FUNCTION portolan.reset_factors(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.reset_factors(name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.restore_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.revoke_family(family uuid, client_id text, user_name text, expires_at timestamp with time zone) TO gateway;

REVOKE ALL ON FUNCTION portolan.revoke_history(history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rights_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rights_to_mend() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rights_to_mend() TO gateway;

REVOKE ALL ON FUNCTION portolan.role_sql(role oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rotate_refresh_token(family uuid, token uuid, client_id text, next uuid, sealed text, access_seconds integer, refresh_seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.rotate_signing_key(kid text, public_jwk jsonb, private_jwk jsonb, at_once boolean, alg text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.row_estimate(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.row_field(row_text text, before integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.row_keys(relation oid) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.row_keys(relation oid) TO gateway;

REVOKE ALL ON FUNCTION portolan.rule_notes(id integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.rule_notes(id integer) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.rule_policy(relation regclass, command "char", word text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.rule_record(rule jsonb, base jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.run_grant(statement text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.run_on_node(node integer, command text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.runner_login(role text, verifier text, connections integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.runner_login(role text, verifier text, connections integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.runner_role(role text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.runner_role(role text) TO gateway;

REVOKE ALL ON FUNCTION portolan.saved_configuration() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.schema_code_owners(schema text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.schema_code_owners(schema text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.scram_verifier(password text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.search_path_parts(path text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.search_path_parts(path text) TO gateway;

REVOKE ALL ON FUNCTION portolan.secrets() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.secrets() TO gateway;

REVOKE ALL ON FUNCTION portolan.seed_tiles(relation regclass, last_zoom integer, first_zoom integer, account text, tile_matrix_set text, geometry_column text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.seed_tiles(relation regclass, last_zoom integer, first_zoom integer, account text, tile_matrix_set text, geometry_column text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_asleep(asleep boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_asleep(asleep boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.set_authentication(relation regclass, level text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_authentication(relation regclass, level text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_back(login text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_back(login text) TO gateway;

REVOKE ALL ON FUNCTION portolan.set_client_secret(id text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_client_secret(id text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_column_privileges(relation regclass, user_name text, columns jsonb, dry boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_column_privileges(relation regclass, user_name text, columns jsonb, dry boolean) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_default_style(relation regclass, name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_default_style(relation regclass, name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_login(role text, verifier text, connections integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.set_password(name text, password text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_password(name text, password text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_privilege(relation regclass, user_name text, privilege text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_recovery_codes(name text, codes text[], address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_recovery_codes(name text, codes text[], address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.set_shards(relation regclass, change jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_shards(relation regclass, change jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_style(relation regclass, style jsonb, name text, title text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_style(relation regclass, style jsonb, name text, title text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_workflow(relation regclass, settings jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_workflow(relation regclass, settings jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.set_workflow_role(relation regclass, user_name text, role text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.settled_stamp(stamp text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shape_stamp(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shard_kind(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shard_nodes() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.shard_nodes() TO gateway;

REVOKE ALL ON FUNCTION portolan.shard_problem(rule portolan.rules) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shard_slot() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shard_user(name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shards_in_turn() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shards_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.shards_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.share_new(relations oid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.share_roles() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.share_with_owner(schemas text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.share_with_owner(schemas text[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.shed_rule(rule portolan.rules, relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.ship_ddl(setting text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.ship_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.shown_schemas() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.sign_out(hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sign_out(hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.sign_up_identity(wanted text, identity jsonb, user_group text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sign_up_identity(wanted text, identity jsonb, user_group text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.sign_up_name(hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sign_up_name(hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.sign_up_of() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sign_up_of() TO gateway;

REVOKE ALL ON FUNCTION portolan.site_of(network text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.site_of(network text) TO gateway;

REVOKE ALL ON FUNCTION portolan.sleeping_policies() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sleeping_policies() TO gateway;

REVOKE ALL ON FUNCTION portolan.spare_ranges(history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.stamped_members(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer, asked jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.start_family(family uuid, refresh uuid, client_id text, user_name text, scope text, token_version bigint, access_seconds integer, refresh_seconds integer, asked jsonb) TO gateway;

REVOKE ALL ON FUNCTION portolan.state_findings() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.state_findings() TO gateway;

REVOKE ALL ON FUNCTION portolan.stop_jobs(kind text, relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.style_of(relation regclass, name text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.style_of(relation regclass, name text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.style_problem(relation regclass, style text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.style_problem(relation regclass, style text) TO gateway;

REVOKE ALL ON FUNCTION portolan.sync_events(schemas text[], everything boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.sync_events(schemas text[], everything boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.sync_history_columns(relation regclass, history regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tables_beneath(view oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.take_lease(seen_term bigint, backend_started timestamp with time zone) TO gateway;

REVOKE ALL ON FUNCTION portolan.take_over(before oid, now oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tame_objects() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.team_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tell_nodes() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.tell_nodes() TO gateway;

REVOKE ALL ON FUNCTION portolan.tg__audit_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__audit_setting() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__bump_generation() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__check_shared() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__follow_ddl() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__keep_version() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__limit_saved() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__own_saved() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__refuse_denied() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg__workflow() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_clients__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_clients__keep_built_in() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_dashboards__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_ddl_on_shards__follow() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_maps__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_methods__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_methods__check_hints() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_methods__refuse_own_sql() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_pyramid_tiles__count() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_queries__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_row_comments__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_rules__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_rules__compile() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_rules__one_at_a_time() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_users__forget_shared() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_users__updated() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.tg_views__check() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.triggered_by(relation regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.trusted_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.trusted_roles() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.trusted_roles() TO gateway;

REVOKE ALL ON FUNCTION portolan.try_index(statement text, index text, names text[], relations text[], path text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.try_index(statement text, index text, names text[], relations text[], path text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.type_catalogue(types oid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.type_catalogue(types oid[]) TO gateway;

REVOKE ALL ON FUNCTION portolan.unprotected_relations() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.unread_functions() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.update_client(id text, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_client(id text, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_raster(schema_name text, table_name text, file text) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_rule(id integer, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_rule(id integer, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.update_user(name text, changes jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.update_user(name text, changes jsonb) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer, resource text, jkt text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_code(hash text, client_id text, redirect_uri text, code_challenge text, family uuid, refresh uuid, access_seconds integer, refresh_seconds integer, resource text, jkt text) TO gateway;

REVOKE ALL ON FUNCTION portolan.use_console_session(hash text, OUT account text, OUT family uuid, OUT is_new boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_console_session(hash text, OUT account text, OUT family uuid, OUT is_new boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.use_factor_code(name text, step bigint, code_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_factor_code(name text, step bigint, code_hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.use_id(id uuid, seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_id(id uuid, seconds integer) TO gateway;

REVOKE ALL ON FUNCTION portolan.use_ids(keeper uuid, ids uuid[], seconds integer, alone boolean, OUT first integer[], OUT is_alone boolean, OUT is_complete boolean, OUT wait_ms integer, OUT lost_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_ids(keeper uuid, ids uuid[], seconds integer, alone boolean, OUT first integer[], OUT is_alone boolean, OUT is_complete boolean, OUT wait_ms integer, OUT lost_seconds double precision) TO gateway;

REVOKE ALL ON FUNCTION portolan.use_passkey(credential text, before bigint, after bigint, challenge_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.use_passkey(credential text, before bigint, after bigint, challenge_hash text) TO gateway;

REVOKE ALL ON FUNCTION portolan.verification_link(name text, asked_by text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.verification_link(name text, asked_by text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.verify_email(hash text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.verify_email(hash text, address text) TO gateway;

REVOKE ALL ON FUNCTION portolan.version_portion(relation regclass, "position" jsonb, OUT next jsonb, OUT rows bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.versioned_relations() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.versioned_relations() TO gateway;

REVOKE ALL ON FUNCTION portolan.waiting_sign_in(hash text, ends boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.waiting_sign_in(hash text, ends boolean) TO gateway;

REVOKE ALL ON FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.wal_position(OUT timeline integer, OUT lsn pg_lsn) TO gateway;

REVOKE ALL ON FUNCTION portolan.wal_timeline() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_memberships(accounts text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_protection(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_rules() FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.wanted_shard_rules(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.words_of(statement text) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.work_job(id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.work_job(id bigint) TO gateway;

REVOKE ALL ON FUNCTION portolan.workflow_of(relation regclass) FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.workflow_of(relation regclass) TO "owner@database";

REVOKE ALL ON FUNCTION portolan.workflow_relations() FROM PUBLIC;
GRANT ALL ON FUNCTION portolan.workflow_relations() TO gateway;

REVOKE ALL ON FUNCTION portolan.workflow_root(relation oid) FROM PUBLIC;

REVOKE ALL ON FUNCTION portolan.workflow_trigger_body(relation regclass) FROM PUBLIC;

GRANT INSERT ON TABLE portolan.authorization_codes TO gateway;

GRANT SELECT ON TABLE portolan.code TO gateway;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.consents TO gateway;

GRANT SELECT ON TABLE portolan.dashboards TO PUBLIC;
GRANT DELETE ON TABLE portolan.dashboards TO "owner@database";

GRANT INSERT(name) ON TABLE portolan.dashboards TO PUBLIC;

GRANT INSERT(title),UPDATE(title) ON TABLE portolan.dashboards TO PUBLIC;

GRANT INSERT(panels),UPDATE(panels) ON TABLE portolan.dashboards TO PUBLIC;

GRANT UPDATE(owner) ON TABLE portolan.dashboards TO PUBLIC;

GRANT INSERT(shared),UPDATE(shared) ON TABLE portolan.dashboards TO PUBLIC;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.device_requests TO gateway;

GRANT SELECT,INSERT ON TABLE portolan.download_parts TO gateway;

GRANT SELECT ON TABLE portolan.downloads TO gateway;

GRANT SELECT ON TABLE portolan.event_reader TO gateway;

GRANT SELECT ON TABLE portolan.event_tables TO gateway;

GRANT SELECT ON TABLE portolan.factors TO gateway;

GRANT SELECT ON TABLE portolan.generations TO gateway;

GRANT SELECT ON TABLE portolan.history_schemas TO gateway;

GRANT SELECT ON TABLE portolan.identities TO gateway;

GRANT SELECT ON TABLE portolan.known_addresses TO gateway;

GRANT SELECT ON TABLE portolan.log_run TO PUBLIC;

GRANT SELECT,DELETE,UPDATE ON TABLE portolan.logouts TO gateway;

GRANT SELECT ON TABLE portolan.maps TO PUBLIC;
GRANT DELETE ON TABLE portolan.maps TO "owner@database";

GRANT INSERT(name) ON TABLE portolan.maps TO PUBLIC;

GRANT INSERT(title),UPDATE(title) ON TABLE portolan.maps TO PUBLIC;

GRANT UPDATE(owner) ON TABLE portolan.maps TO PUBLIC;

GRANT INSERT(shared),UPDATE(shared) ON TABLE portolan.maps TO PUBLIC;

GRANT INSERT(view),UPDATE(view) ON TABLE portolan.maps TO PUBLIC;

GRANT INSERT(layers),UPDATE(layers) ON TABLE portolan.maps TO PUBLIC;

GRANT SELECT ON TABLE portolan.method_generation TO PUBLIC;

GRANT SELECT ON TABLE portolan.migrations TO gateway;

GRANT SELECT ON TABLE portolan.my_groups TO PUBLIC;

GRANT SELECT ON TABLE portolan.my_histories TO PUBLIC;

GRANT SELECT ON TABLE portolan.my_rules TO PUBLIC;

GRANT SELECT ON TABLE portolan.my_workflow TO PUBLIC;

GRANT SELECT ON TABLE portolan.one_time_links TO gateway;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE portolan.pushed_requests TO gateway;

GRANT SELECT ON TABLE portolan.pyramid_areas TO gateway;

GRANT SELECT,INSERT,UPDATE ON TABLE portolan.pyramid_tiles TO gateway;

GRANT SELECT ON TABLE portolan.queries TO PUBLIC;
GRANT DELETE ON TABLE portolan.queries TO "owner@database";

GRANT INSERT(name) ON TABLE portolan.queries TO PUBLIC;

GRANT INSERT(title),UPDATE(title) ON TABLE portolan.queries TO PUBLIC;

GRANT INSERT(q),UPDATE(q) ON TABLE portolan.queries TO PUBLIC;

GRANT UPDATE(owner) ON TABLE portolan.queries TO PUBLIC;

GRANT INSERT(shared),UPDATE(shared) ON TABLE portolan.queries TO PUBLIC;

GRANT INSERT(chart),UPDATE(chart) ON TABLE portolan.queries TO PUBLIC;

GRANT SELECT ON TABLE portolan.rasters TO gateway;

GRANT SELECT(id) ON TABLE portolan.refresh_tokens TO gateway;

GRANT SELECT(rotated_at) ON TABLE portolan.refresh_tokens TO gateway;

GRANT SELECT ON TABLE portolan.row_comments TO PUBLIC;
GRANT DELETE ON TABLE portolan.row_comments TO "owner@database";

GRANT INSERT(relation) ON TABLE portolan.row_comments TO PUBLIC;

GRANT INSERT(key) ON TABLE portolan.row_comments TO PUBLIC;

GRANT INSERT(body),UPDATE(body) ON TABLE portolan.row_comments TO PUBLIC;

GRANT SELECT ON TABLE portolan.rule_generation TO PUBLIC;

GRANT SELECT ON TABLE portolan.ruled_commands TO PUBLIC;

GRANT SELECT ON TABLE portolan.saved_versions TO PUBLIC;

GRANT SELECT,INSERT,DELETE ON TABLE portolan.sessions TO gateway;

GRANT UPDATE(console_hash) ON TABLE portolan.sessions TO gateway;

GRANT UPDATE(console_at) ON TABLE portolan.sessions TO gateway;

GRANT SELECT(kid) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(alg) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(public_jwk) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(created_at) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT(retired_at) ON TABLE portolan.signing_keys TO gateway;

GRANT SELECT ON TABLE portolan.styles TO gateway;

GRANT SELECT ON TABLE portolan.timeline TO gateway;

GRANT SELECT ON TABLE portolan.token_families TO gateway;

GRANT SELECT ON TABLE portolan.views TO PUBLIC;
GRANT DELETE ON TABLE portolan.views TO "owner@database";

GRANT INSERT(name) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(title),UPDATE(title) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(relation),UPDATE(relation) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(kind),UPDATE(kind) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(filter),UPDATE(filter) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(sort),UPDATE(sort) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(columns),UPDATE(columns) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(fields),UPDATE(fields) ON TABLE portolan.views TO PUBLIC;

GRANT UPDATE(owner) ON TABLE portolan.views TO PUBLIC;

GRANT INSERT(shared),UPDATE(shared) ON TABLE portolan.views TO PUBLIC;

GRANT SELECT ON TABLE portolan.visible_factors TO PUBLIC;

GRANT SELECT ON TABLE portolan.visible_identities TO PUBLIC;

GRANT SELECT ON TABLE portolan.visible_sessions TO PUBLIC;
