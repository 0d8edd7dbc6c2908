create or replace trigger _100_check
  before insert or update on portolan.dashboards
  for each row execute function portolan.tg_dashboards__check();

create or replace trigger _110_check_shared
  before insert or update of shared on portolan.dashboards
  for each row execute function portolan.tg__check_shared();

create or replace trigger _120_own_saved
  before insert or update on portolan.dashboards
  for each row execute function portolan.tg__own_saved();

-- Who may see and change what: code, because it names functions.
drop policy if exists read_dashboards on portolan.dashboards;
create policy read_dashboards on portolan.dashboards for select using (
  shared && (select portolan.my_names())
  or owner = (select m.name from portolan.me m)
  or (select portolan.is_super_user()));

drop policy if exists make_dashboards on portolan.dashboards;
create policy make_dashboards on portolan.dashboards for insert with check (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));

drop policy if exists change_dashboards on portolan.dashboards;
create policy change_dashboards on portolan.dashboards for update using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));

drop policy if exists drop_dashboards on portolan.dashboards;
create policy drop_dashboards on portolan.dashboards for delete using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));
