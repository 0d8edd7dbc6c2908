create table app.people (id int primary key, first_name text not null, last_name text not null, born date);
create table app.pets (id int primary key, owner_id int references app.people, name text);
insert into app.people values (1, 'Ann', 'Lee', '2000-01-01'), (2, 'Bo', 'Ek', '1990-06-01');
insert into app.pets values (1, 1, 'Rex'), (2, 1, 'Mia'), (3, 2, 'Pus');

create function app.add_numbers(a int, b int default 10) returns int language sql immutable strict return a + b;
create function app.greet(name text, greeting text default 'Hello', mark text default '!') returns text language sql stable
  return greeting || ' ' || name || mark;
create function app.all_people() returns setof app.people language sql stable begin atomic select * from app.people; end;
create function app.oldest_person() returns app.people language sql stable
  begin atomic select * from app.people order by born limit 1; end;
create function app.nobody() returns app.people language sql stable begin atomic select * from app.people where false; end;
create function app.names() returns setof text language sql stable
  begin atomic select first_name from app.people order by id; end;
create function app.letters(of_text text) returns text[] language sql immutable return string_to_array(of_text, null);
create function app.statistics(out people bigint, out pets bigint) language sql stable
  begin atomic select (select count(*) from app.people), (select count(*) from app.pets); end;
create function app.pets_by_owner() returns table (owner text, pets bigint) language sql stable
  begin atomic select first_name, count(*) from app.people p join app.pets on owner_id = p.id group by 1 order by 1; end;
create function app.in_range(r int4range, point point, many int[], data jsonb) returns text language sql stable
  return r::text || point::text || many::text || data::text;
create function app.exact(amount numeric, big bigint default 9007199254740993) returns text language sql immutable
  return amount::text || ' ' || big::text;
create function app.unnamed(int, text) returns text language sql stable return $1 || $2;
create function app.name_of(person app.people) returns text language sql stable return person.first_name;

create function app.people_full_name(person app.people) returns text language sql stable
  return person.first_name || ' ' || person.last_name;
create function app.people_age(person app.people, at date) returns int language sql stable
  return extract(year from age(at, person.born));
create function app.people_living_pets(person app.people) returns setof app.pets language sql stable
  begin atomic select * from app.pets where owner_id = person.id order by name; end;
create function app.people_first_pet(person app.people) returns app.pets language sql stable
  begin atomic select * from app.pets where owner_id = person.id order by id limit 1; end;
create function app.people_initials(person app.people) returns text[] language sql stable
  return array[left(person.first_name, 1), left(person.last_name, 1)];
comment on function app.people_full_name(app.people) is 'First and last name.';
comment on function app.people_initials(app.people) is E'@name letters\n@deprecated use fullName';

create function app.rename(id int, name text) returns app.people language sql
  begin atomic update app.people set first_name = rename.name where people.id = rename.id returning *; end;
create function app.age_all() returns setof app.people language sql
  begin atomic update app.people set born = born - 365 returning *; end;
create function app.log_something(message text) returns void language plpgsql as 'begin end';
create function app.next_id() returns bigint language plpgsql as 'begin return 42; end';
create function app.fails() returns int language plpgsql as $$ begin raise exception 'It fails' using errcode = '22023'; end $$;
create function app.forbidden() returns int language sql stable return 1;
revoke execute on function app.forbidden() from public;

grant all on all tables in schema app to caller;
