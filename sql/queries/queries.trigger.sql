create or replace trigger _100_check
  before insert or update on portolan.queries
  for each row execute function portolan.tg_queries__check();
