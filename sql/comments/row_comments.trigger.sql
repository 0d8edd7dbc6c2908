create or replace trigger _100_check
  before insert or update of body on portolan.row_comments
  for each row execute function portolan.tg_row_comments__check();

-- Who sees and writes which comment is code, because it names functions. A super user sees all without a look at the rows, those of
-- rows that are gone too: it runs no policy of a table. Nobody writes in the name of another.
drop policy if exists read_comments on portolan.row_comments;
create policy read_comments on portolan.row_comments for select using (
  (select portolan.is_super_user())
  or exists (select from portolan.me m where m.name <> 'anonymous') and portolan.seen_key(relation, key) is not null);
drop policy if exists make_comments on portolan.row_comments;
create policy make_comments on portolan.row_comments for insert with check (
  author = (select m.name from portolan.me m where m.name <> 'anonymous'));
drop policy if exists change_comments on portolan.row_comments;
create policy change_comments on portolan.row_comments for update using (
  author = (select m.name from portolan.me m where m.name <> 'anonymous'));
drop policy if exists drop_comments on portolan.row_comments;
create policy drop_comments on portolan.row_comments for delete using (
  author = (select m.name from portolan.me m where m.name <> 'anonymous') or (select portolan.is_super_user()));
