create or replace trigger _000_refuse_own_sql
  before insert or update or delete on portolan.methods
  for each statement execute function portolan.tg_methods__refuse_own_sql();

create or replace trigger _100_check
  before insert or update on portolan.methods
  for each row execute function portolan.tg_methods__check();

create or replace trigger _110_check_hints
  before insert or update of type_hints on portolan.methods
  for each row when (new.type_hints is not null) execute function portolan.tg_methods__check_hints();

create or replace trigger _700_limit_saved
  after insert on portolan.methods referencing new table as new_rows
  for each statement execute function portolan.tg__limit_saved('method');

create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.methods
  for each statement execute function portolan.tg__bump_generation('methods');

-- Who may see and change what: code, because it names functions.
drop policy if exists read_methods on portolan.methods;
create policy read_methods on portolan.methods for select using (
  published
  or owner = (select m.name from portolan.me m)
  or (select portolan.is_super_user())
  or portolan.is_of_super_user(method));

drop policy if exists make_methods on portolan.methods;
create policy make_methods on portolan.methods for insert with check (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));

drop policy if exists change_methods on portolan.methods;
create policy change_methods on portolan.methods for update using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));

drop policy if exists drop_methods on portolan.methods;
create policy drop_methods on portolan.methods for delete using (
  owner = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));
