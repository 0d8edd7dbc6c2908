create or replace trigger _500_updated
  before update of email, email_verified, properties on portolan.users
  for each row
  when (old.email is distinct from new.email or old.email_verified <> new.email_verified or old.properties <> new.properties)
  execute function portolan.tg_users__updated();

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.users
  for each row execute function portolan.tg__audit_change('user');
