-- Records that a gateway has made what the catalogue needs. `stamp`: the fingerprint of the catalogue with the number of the
-- database, and everything else that decides what is made. The gateway calls it when it has checked a database that has
-- woken.
create or replace function portolan.note_settled(stamp text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.settings
as $$
  insert into portolan.settings as s (name, value)
  values ('settled', to_jsonb(portolan.settled_stamp(stamp)))
  on conflict (name) do update set value = excluded.value where s.value <> excluded.value
$$;
