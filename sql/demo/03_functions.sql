-- Functions that show how the service serves them: two fields of a city, a query, a mutation. All run with the rights of the
-- caller.

create function world.cities_label(city world.cities) returns text
  language sql stable parallel safe
as $$
  select city.name || ', ' || n.name
  from world.countries n
  where n.code = city.country_code
$$;

comment on function world.cities_label(world.cities) is 'Name and country, such as "Berlin, Germany".';

-- Null where the time zones of this PostgreSQL are older than the city's zone. That takes a subtransaction, so the function
-- is not parallel safe.
create function world.cities_local_time(city world.cities) returns timestamp
  language plpgsql stable
as $$
begin
  return now() at time zone city.zone;
exception
  when invalid_parameter_value then
    return null;
end
$$;

comment on function world.cities_local_time(world.cities) is
  'What the clocks there show now; null for an unknown zone.';

create function world.nearest_cities(longitude double precision, latitude double precision, count integer default 5)
  returns setof world.cities
  language sql stable parallel safe rows 5
as $$
  select c.*
  from world.cities c
  order by
    public.st_distance(
      c.geom::public.geography, public.st_setsrid(public.st_makepoint(longitude, latitude), 4326)::public.geography),
    c.id
  limit count
$$;

comment on function world.nearest_cities(double precision, double precision, integer) is
  'The cities nearest to a place given in degrees, the nearest first.';

-- Raises 23503 for a city that does not exist.
create function world.log_visit(city_id integer, entry text) returns world.logbook
  language sql volatile
as $$
  insert into world.logbook (city_id, entry)
  values (log_visit.city_id, log_visit.entry)
  returning *
$$;

comment on function world.log_visit(integer, text) is
  'Writes an entry about a city into the logbook, in the caller''s name.';

revoke execute on function
  world.cities_label(world.cities),
  world.cities_local_time(world.cities),
  world.nearest_cities(double precision, double precision, integer),
  world.log_visit(integer, text)
from public;
