-- Whether the caller still has the rights on a table that `rights`, an earlier answer of reading_rights, describes.
create or replace function portolan.rights_hold(relation oid, rights jsonb) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
    select n.now -> 'rows' = rights -> 'rows'
      and (n.now -> 'columns' = 'null' or rights -> 'columns' <> 'null' and n.now -> 'columns' @> (rights -> 'columns'))
    from portolan.reading_rights(relation) n (now)
    where n.now is not null), false)
$$;
