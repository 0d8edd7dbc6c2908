create or replace trigger _100_check
  before insert or update on portolan.queries
  for each row execute function portolan.tg_queries__check();

create or replace trigger _110_check_shared
  before insert or update of shared on portolan.queries
  for each row execute function portolan.tg__check_shared();

create or replace trigger _120_own_saved
  before insert or update on portolan.queries
  for each row execute function portolan.tg__own_saved();

-- Who may see and change what: code, because it names functions.
drop policy if exists read_queries on portolan.queries;
create policy read_queries on portolan.queries for select using (
  shared && (select portolan.my_names())
  or owner = (select m.name from portolan.me m)
  or (select portolan.is_super_user()));

drop policy if exists make_queries on portolan.queries;
create policy make_queries on portolan.queries for insert with check (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));

drop policy if exists change_queries on portolan.queries;
create policy change_queries on portolan.queries for update using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));

drop policy if exists drop_querys on portolan.queries;
create policy drop_querys on portolan.queries for delete using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));
