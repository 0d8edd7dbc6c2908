create table app.open (id int primary key, name text);
create table app.closed (id int primary key, open_id int references app.open);
create table app.read_only (id int primary key, name text);
create table app.partly (id int primary key, name text not null, secret text not null default 's', closed_id int references app.closed);
create table app.write_only (id int primary key, name text);
create table app.hidden_key (grade int not null default 1, id serial primary key, name text, read_only_id int references app.read_only);
create table app.rows_of_mine (id int primary key, owner text default current_user);
alter table app.rows_of_mine enable row level security;
create policy mine on app.rows_of_mine using (owner = current_user);
create function app.partly_loud(p app.partly) returns text stable language sql as $$ select upper(p.name) $$;

insert into app.open values (1, 'a');
insert into app.closed values (1, 1);
insert into app.read_only values (1, 'r');
insert into app.partly values (1, 'p', 'secret', 1), (2, 'q', 'secret', 1);
insert into app.rows_of_mine values (1, 'caller'), (2, 'someone');
insert into app.hidden_key (name, read_only_id) values ('a', 1), ('b', 1);

grant all on app.open, app.rows_of_mine to caller;
grant select on app.read_only to caller;
grant select (id, name), insert (id, name), update (name) on app.partly to caller;
grant delete on app.partly to caller;
grant insert on app.write_only to caller;
grant select (name, read_only_id), insert (name, read_only_id), update (name), delete on app.hidden_key to caller;
grant usage on sequence app.hidden_key_id_seq to caller;
