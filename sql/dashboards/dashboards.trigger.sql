create or replace trigger _100_check
  before insert or update on portolan.dashboards
  for each row execute function portolan.tg_dashboards__check();
