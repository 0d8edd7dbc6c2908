create or replace trigger _100_check
  before insert or update on portolan.maps
  for each row execute function portolan.tg_maps__check();
