create or replace trigger _050_keep_built_in
  before delete or update on portolan.clients
  for each row execute function portolan.tg_clients__keep_built_in();

create or replace trigger _050_keep_built_in_all
  before truncate on portolan.clients
  for each statement execute function portolan.tg_clients__keep_built_in();

create or replace trigger _100_check_client
  before insert or update on portolan.clients
  for each row execute function portolan.tg_clients__check();

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.clients
  for each row execute function portolan.tg__audit_change('client');

create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.clients
  for each statement execute function portolan.tg__bump_generation('clients');
