-- The pyramids, by collection, with their state. GET /pyramids. Super users.
create or replace function portolan.list_pyramids()
  returns table (
    id bigint, collection text, tile_matrix_set text, first_zoom integer, last_zoom integer, account text, job bigint,
    state text, tiles bigint, bytes bigint, behind bigint, error text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.pyramids
as $$
  select p.id, p.collection, p.tile_matrix_set, p.first_zoom, p.last_zoom, p.account, p.job, j.state, p.tiles, p.bytes,
    (select count(*) from portolan.pyramid_areas a where a.pyramid = p.id), j.error
  from portolan.pyramids p
    left join portolan.jobs j on j.id = p.job
  order by p.collection, p.tile_matrix_set, p.account
$$;
