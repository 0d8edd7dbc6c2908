-- Changes the members that a client has stated itself: one that has registered itself (RFC 7592), or one that a
-- document describes, which is created if it does not exist. Members that an administrator or the registration token
-- has imposed stay. The gateway calls it. Raises PX400.
create or replace function portolan.change_registration(id text, members jsonb, metadata jsonb, document boolean default false)
  returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
#variable_conflict use_column
begin
  if document then
    insert into portolan.clients (id, name, public, grants, origin)
    values (change_registration.id, left(change_registration.id, 200), (members ->> 'public')::boolean, '{}', 'document')
    on conflict do nothing;
  end if;
  perform portolan.put_client(c.id, members - array(select jsonb_object_keys(c.imposed)))
  from portolan.clients c
  where c.id = change_registration.id;
  update portolan.clients c
  set metadata = change_registration.metadata
  where c.id = change_registration.id and c.metadata <> change_registration.metadata;
end
$$;
