-- Removes a pyramid with its tiles, and stops making it. Super users. Writes to the audit. Raises PX404.
create or replace function portolan.drop_pyramid(id bigint) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.pyramids
as $$
#variable_conflict use_variable
declare
  v_pyramid portolan.pyramids;
begin
  delete from portolan.pyramids p where p.id = drop_pyramid.id returning p.* into v_pyramid;
  if not found then
    raise exception 'there is no pyramid %', id using errcode = 'PX404';
  end if;
  update portolan.jobs j set state = 'stopped', updated = clock_timestamp()
  where j.id = v_pyramid.job and j.state in ('queued', 'running');
  insert into portolan.audit (event, account, address, details)
  values ('tiles.dropped', v_pyramid.account, portolan.caller_address(),
    jsonb_build_object('collection', v_pyramid.collection, 'tile_matrix_set', v_pyramid.tile_matrix_set, 'by', portolan.actor(),
      'before', jsonb_build_object('first_zoom', v_pyramid.first_zoom, 'last_zoom', v_pyramid.last_zoom), 'after', null));
end
$$;
