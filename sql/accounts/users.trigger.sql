create or replace trigger _800_audit_change
  after insert or update or delete on portolan.users
  for each row execute function portolan.tg__audit_change('user');
