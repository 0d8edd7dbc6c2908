-- Has vector tiles of a collection made in advance, for accounts with the same rights as this one (default: anonymous),
-- and returns the number of the job. For an existing pyramid, missing tiles are made, and zooms are added. The writes
-- of the table must be recorded (events or history), so that it is known which tiles a write changes. Super users.
-- Writes to the audit. Raises PX400, PX404 (also for a tile matrix set that the gateways do not have), and PX409 where
-- writes are not recorded, or where the tiles would not be served (pyramid_problem).
create or replace function portolan.seed_tiles(
  relation regclass, last_zoom integer, first_zoom integer default 0, account text default 'anonymous',
  tile_matrix_set text default 'WebMercatorQuad', geometry_column text default null
) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
#variable_conflict use_variable
declare
  v_pyramid portolan.pyramids;
  v_collection text;
  v_before jsonb;
  v_problem text := portolan.pyramid_problem(relation, account);
  v_sets text[] := '{WebMercatorQuad,WorldCRS84Quad,WorldMercatorWGS84Quad}';
  v_told jsonb;
begin
  -- a gateway that runs tells of those of its configuration; an older one, and none, tell of nothing
  for v_told in
    select g.figures -> 'tile_matrix_sets'
    from portolan.gateways g
    where exists (
      select from pg_stat_get_activity(g.pid) a
      where a.pid = g.pid and (a.backend_start is null or a.backend_start = g.started))
  loop
    v_sets := v_sets || case
      when v_told is null then array[tile_matrix_set]
      else array(select jsonb_array_elements_text(v_told)) end;
  end loop;
  if not found then
    v_sets := v_sets || tile_matrix_set;
  end if;
  if last_zoom is null or first_zoom is null or first_zoom < 0 or last_zoom < first_zoom or last_zoom > 24 then
    raise exception 'zooms must be from 0 to 24, the first before the last' using errcode = 'PX400';
  elsif not exists (select from portolan.users u where u.name = account) then
    raise exception 'there is no account %', account using errcode = 'PX404';
  elsif portolan.stamped_members(relation) is null then
    raise exception '% has neither events nor history, so Portolan cannot tell which tiles a write changes', relation
      using errcode = 'PX409', hint = 'portolan events enable, or PATCH …/events';
  elsif tile_matrix_set <> all (v_sets) then
    raise exception 'there is no tile matrix set %; there are %', to_json(left(tile_matrix_set, 100)),
      (select string_agg(distinct s.name, ', ' order by s.name) from unnest(v_sets) s (name)) using errcode = 'PX404';
  elsif v_problem is not null then
    raise exception '%', v_problem using errcode = 'PX409';
  end if;
  select concat_ws('.', n.nspname, c.relname, geometry_column) into v_collection
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  select p.* into v_pyramid
  from portolan.pyramids p
  where (p.collection, p.tile_matrix_set, p.account) = (v_collection, tile_matrix_set, account)
  for update;
  if found then
    v_before := jsonb_build_object('first_zoom', v_pyramid.first_zoom, 'last_zoom', v_pyramid.last_zoom);
  else
    insert into portolan.pyramids (relation, collection, geometry_column, tile_matrix_set, first_zoom, last_zoom, account)
    values (relation, v_collection, geometry_column, tile_matrix_set, first_zoom, last_zoom, account)
    returning * into v_pyramid;
  end if;
  update portolan.jobs j set state = 'queued', error = null, updated = clock_timestamp()
  where j.id = v_pyramid.job and j.state in ('stopped', 'failed');
  if not exists (select from portolan.jobs j where j.id = v_pyramid.job and j.state in ('queued', 'running')) then
    insert into portolan.jobs (kind, relation, started_by) values ('tiles', relation, portolan.actor())
    returning id into v_pyramid.job;
  end if;
  update portolan.pyramids p
  set job = v_pyramid.job, relation = seed_tiles.relation, first_zoom = seed_tiles.first_zoom, last_zoom = seed_tiles.last_zoom
  where p.id = v_pyramid.id;
  insert into portolan.audit (event, account, address, details)
  values ('tiles.seeded', account, portolan.caller_address(),
    jsonb_build_object('collection', v_collection, 'tile_matrix_set', tile_matrix_set, 'job', v_pyramid.job,
      'by', portolan.actor(), 'before', v_before,
      'after', jsonb_build_object('first_zoom', first_zoom, 'last_zoom', last_zoom)));
  return v_pyramid.job;
end
$$;
