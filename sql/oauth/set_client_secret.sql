-- Gives a confidential client a new secret; the old one ends at once, its tokens stay. Raises PX400 for a public
-- client, and for one that has a key of its own, PX404.
create or replace function portolan.set_client_secret(id text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
declare
  v_client portolan.clients := portolan.existing_client(id);
  v_secret text := portolan.new_secret();
begin
  if v_client.public then
    raise exception 'the client "%" is public and has no secret', v_client.id using errcode = 'PX400';
  end if;
  if v_client.token_endpoint_auth_method = 'private_key_jwt' then
    raise exception 'the client "%" authenticates by its own key and has no secret', v_client.id using errcode = 'PX400';
  end if;
  update portolan.clients c
  set secret_hash = encode(sha256(convert_to(v_secret, 'UTF8')), 'hex')
  where c.id = v_client.id;
  return v_secret;
end
$$;
