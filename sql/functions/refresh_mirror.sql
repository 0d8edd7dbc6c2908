-- Gives the history of a table its rights again, if it has one. Called by what grants on a table.
create or replace function portolan.refresh_mirror(relation regclass) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.mirror_rights(v.relation, v.history)
  from portolan.versioned_tables v
  where v.relation = refresh_mirror.relation and v.active
$$;

comment on function portolan.refresh_mirror(regclass) is 'Gives the history of a table its rights again.';

revoke execute on function portolan.refresh_mirror(regclass) from public;
