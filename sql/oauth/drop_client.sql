-- Removes a client; its tokens end. Raises PX400 for the client of the command line, PX404 for an unknown one.
create or replace function portolan.drop_client(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
declare
  v_client portolan.clients := portolan.existing_client(id);
begin
  if v_client.id = 'portolan-cli' then
    raise exception 'the client "portolan-cli" signs the tokens of the command line; take its grants away instead'
      using errcode = 'PX400';
  end if;
  delete from portolan.clients c where c.id = v_client.id;
end
$$;
