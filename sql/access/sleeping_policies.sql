-- The policies that were made while the row level security of their table was off: they protect nothing, but look as if they
-- did. Each table with the statement that wakes them. A start of the gateway asks for these alone.
create or replace function portolan.sleeping_policies() returns table (finding text, remedy text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may ask is_team_relation
as $$
  select format('the policies of %s sleep, since its row level security is off: %s', c.oid::regclass,
      string_agg(quote_ident(p.polname), ', ' order by p.polname)),
    format('alter table %s enable row level security;', c.oid::regclass)
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where not c.relrowsecurity and portolan.is_team_relation(c.oid)
  group by c.oid
$$;
