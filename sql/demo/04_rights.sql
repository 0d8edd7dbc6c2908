-- The rights of everybody and of the guest. The captain is a super user and may do everything.

select portolan.set_authentication(relation, 'None')
from unnest(array['world.countries', 'world.graticule']::regclass[]) relation;

select portolan.set_privilege(relation, 'guest', 'read')
from unnest(array[
  'world.areas',
  'world.catchments',
  'world.cities',
  'world.countries',
  'world.southern_cities'
]::regclass[]) relation;

select portolan.set_privilege('world.logbook', 'guest', 'write');

do $$
begin
  execute format(
    'grant execute on function
      world.cities_label(world.cities),
      world.cities_local_time(world.cities),
      world.nearest_cities(double precision, double precision, integer),
      world.log_visit(integer, text)
    to %I', 'guest@' || current_database());
end
$$;
