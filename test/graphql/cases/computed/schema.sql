create table app.owners (id int primary key, first_name text not null, last_name text not null, secret text);
create table app.boats (id int primary key, owner_id int references app.owners, length int);
insert into app.owners values (1, 'Ann', 'Lee', 's1'), (2, 'Bo', 'Ek', 's2'), (3, 'Cy', 'Lee', 's3');
insert into app.boats values (1, 1, 10), (2, 1, 20), (3, 2, 30), (4, 3, 5);
create function app.owners_full_name(o app.owners, sep text default ' ') returns text language sql stable
  return o.last_name || sep || o.first_name;
create function app.owners_fleet(o app.owners) returns bigint language sql stable
  begin atomic select sum(length) from app.boats where owner_id = o.id; end;
create function app.owners_older_than(o app.owners, years int) returns boolean language sql stable return years > 1;
create function app.owners_private(o app.owners) returns text language sql stable return o.secret;
revoke execute on function app.owners_private from public;
comment on function app.owners_private is '@omit';
grant select on app.owners, app.boats to caller;
