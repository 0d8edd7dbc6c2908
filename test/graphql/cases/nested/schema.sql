create table app.authors (id int generated always as identity primary key, name text not null, code text unique);
create table app.books (
  id uuid default gen_random_uuid() primary key,
  title text not null check (title <> ''),
  author_id bigint references app.authors
);
create table app.pages (
  book_id uuid not null references app.books,
  number int not null,
  words int,
  primary key (book_id, number)
);
create table app.notes (
  id int generated always as identity primary key,
  book_id uuid not null,
  page int not null,
  text text,
  foreign key (book_id, page) references app.pages
);
create table app.staff (id int generated always as identity primary key, name text, boss_id int references app.staff);
create table app.codes (id int generated always as identity primary key, author text references app.authors (code));
create table app.tenants (id text primary key);
create table app.rooms (tenant text references app.tenants, no int, primary key (tenant, no));
create table app.leases (
  id int generated always as identity primary key,
  tenant text references app.tenants,
  no int,
  foreign key (tenant, no) references app.rooms
);
create table app.heads (id int generated always as identity primary key, tail_id int);
create table app.tails (id int generated always as identity primary key, head_id int references app.heads);
alter table app.heads add foreign key (tail_id) references app.tails;
create table app.locked (id int generated always as identity primary key, author_id int references app.authors);
comment on table app.locked is '@omit create';
create table app.sealed (id int generated always as identity primary key, author_id int references app.authors);
comment on column app.sealed.author_id is '@omit create';
create table app.fixed (id int generated always as (7) stored references app.staff, note text);
create table app.silenced (id int generated always as identity primary key, word text);
create table app.echoes (id int generated always as identity primary key, silenced_id int references app.silenced);
create function app.silence() returns trigger language plpgsql as $$
begin
  return case when new.word = 'silence' then null else new end;
end $$;
create trigger _100_silence before insert on app.silenced for each row execute function app.silence();

grant all on all tables in schema app to caller;
grant usage on all sequences in schema app to caller;
