-- The objects that a restored database lacks of those recorded at the dump: the restore stopped half way, or could not make
-- it. A table that does not exist at all was left out on purpose. Called before a migration repairs anything, and by doctor.
create or replace function portolan.missing_parts() returns setof text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.noted_parts
as $$
  select format('%s of %s', n.part, n.relation)
  from portolan.noted_parts n
  where portolan.is_restored() and to_regclass(n.relation) is not null
    and not exists (
      select from portolan.parts_of_tables() p where (p.relation, p.part) = (n.relation, n.part))
  order by 1
$$;
