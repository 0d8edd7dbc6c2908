-- The schema of one table with a key, in full: what the listings of the other cases are told against.
create table app.cities (id int primary key, name text);
grant all on all tables in schema app to caller;
