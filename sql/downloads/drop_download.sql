-- Removes a file, or stops making it. Super users may remove all, others those that they have begun; a guest
-- any of the default user's whose id it knows. Writes to the audit. Raises PX404.
create or replace function portolan.drop_download(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.downloads
as $$
#variable_conflict use_variable
declare
  v_own text := portolan.own_things();
  v_download portolan.downloads;
begin
  delete from portolan.downloads d where d.id = drop_download.id and (
      v_own is null or d.account = v_own
      or v_own = '' and d.account = (select u.name from portolan.users u where u.default_user))
  returning d.* into v_download;
  if not found then
    raise exception 'there is no download %', id using errcode = 'PX404';
  end if;
  update portolan.jobs j set state = 'stopped', updated = clock_timestamp() where j.id = v_download.job and j.state = 'running';
  insert into portolan.audit (event, account, address, details)
  values ('download.removed', v_download.account, portolan.caller_address(),
    jsonb_build_object('download', id, 'collection', v_download.collection, 'by', portolan.actor()));
end
$$;
