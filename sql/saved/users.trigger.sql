create or replace trigger _200_forget_shared
  after delete on portolan.users
  for each row execute function portolan.tg_users__forget_shared();

create or replace trigger _210_forget_shared
  after update on portolan.users
  for each row when (old.name <> new.name) execute function portolan.tg_users__forget_shared();
