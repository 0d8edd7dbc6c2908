-- Sets the form of the tiles of a pyramid and the state of its rows. Tiles of another form, and those in areas that
-- were written since, are removed. Returns how many are left.
create or replace function portolan.begin_pyramid(
  id bigint, form text, rights jsonb, srid integer, edge float8, top float8, span float8) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: called by the gateway
as $$
#variable_conflict use_variable
declare
  v_pyramid portolan.pyramids;
  v_new boolean;
begin
  perform portolan.refresh_pyramid(id);
  select p.* into v_pyramid from portolan.pyramids p where p.id = begin_pyramid.id for update;
  v_new := v_pyramid.snapshot is null or v_pyramid.form is distinct from form or v_pyramid.rights is distinct from rights;
  if v_new then
    delete from portolan.pyramid_tiles t where t.pyramid = begin_pyramid.id;
  else
    -- a tile has a margin of an eighth on each side at most
    delete from portolan.pyramid_tiles t
    using portolan.pyramid_areas a
    where t.pyramid = begin_pyramid.id and a.pyramid = begin_pyramid.id
      and a.maxx >= edge + (t.x - 0.125) * span / 2 ^ t.z and a.minx <= edge + (t.x + 1.125) * span / 2 ^ t.z
      and a.maxy >= top - (t.y + 1.125) * span / 2 ^ t.z and a.miny <= top - (t.y - 0.125) * span / 2 ^ t.z;
  end if;
  delete from portolan.pyramid_areas a where a.pyramid = begin_pyramid.id;
  update portolan.pyramids p
  set form = begin_pyramid.form, rights = begin_pyramid.rights, srid = begin_pyramid.srid, version = p.version + 1,
    snapshot = case when v_new then pg_current_snapshot() else p.snapshot end,
    shape = case when v_new then portolan.pyramid_shape(p.relation) else p.shape end
  where p.id = begin_pyramid.id;
  return (select count(*) from portolan.pyramid_tiles t where t.pyramid = begin_pyramid.id);
end
$$;
