create or replace trigger _800_audit_change
  after insert or update or delete on portolan.privileges
  for each row execute function portolan.tg__audit_setting('privilege', '{relation, user_name}', '{privilege}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.authentication
  for each row execute function portolan.tg__audit_setting('authentication', '{relation}', '{level}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.styles
  for each row execute function portolan.tg__audit_setting('style', '{relation, name}', '{style, title, is_default}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.rasters
  for each row execute function portolan.tg__audit_setting('raster', '{relation}', '{file}');

-- not of tables that the configuration decides: gateways write entries for these too
create or replace trigger _800_audit_change
  after update on portolan.event_tables
  for each row when (old.setting is distinct from new.setting)
  execute function portolan.tg__audit_setting('events', '{relation}', '{setting}');

create or replace trigger _800_audit_insert
  after insert on portolan.event_tables
  for each row when (new.setting is not null) execute function portolan.tg__audit_setting('events', '{relation}', '{setting}');

create or replace trigger _800_audit_removal
  after delete on portolan.event_tables
  for each row when (old.setting is not null) execute function portolan.tg__audit_setting('events', '{relation}', '{setting}');

create or replace trigger _800_audit_change
  after update on portolan.versioned_tables
  for each row when (old.active <> new.active) execute function portolan.tg__audit_setting('versioning', '{relation}', '{active}');

create or replace trigger _800_audit_removal
  after delete on portolan.versioned_tables
  for each row execute function portolan.tg__audit_setting('versioning', '{relation}', '{history}');

create or replace trigger _800_audit_change
  after insert or delete on portolan.workflow_tables
  for each row execute function portolan.tg__audit_setting('workflow', '{relation}', '{}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.workflow_roles
  for each row execute function portolan.tg__audit_setting('workflow_role', '{relation, user_name}', '{level}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.logins
  for each row execute function portolan.tg__audit_setting('login', '{role}', '{kind}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.methods
  for each row execute function portolan.tg__audit_setting('method', '{method}', '{
    q, type_hints, type_formats, output_format, srs, description, timeout_ms, max_rows, cache_seconds, owner, published}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.maps
  for each row execute function portolan.tg__audit_setting('map', '{name}', '{title, owner, shared, view, layers}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.queries
  for each row execute function portolan.tg__audit_setting('query', '{name}', '{title, owner, shared, q, chart}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.dashboards
  for each row execute function portolan.tg__audit_setting('dashboard', '{name}', '{title, owner, shared, panels}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.views
  for each row execute function portolan.tg__audit_setting(
    'view', '{name}', '{title, owner, shared, relation, kind, filter, sort, columns, fields}');

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.row_comments
  for each row execute function portolan.tg__audit_setting('comment', '{id, relation, key}', '{body}');
