create or replace trigger _100_check
  before insert or update on portolan.views
  for each row execute function portolan.tg_views__check();
