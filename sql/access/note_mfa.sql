-- Records the option mfa, so that SQL knows whether accounts may have second factors. The gateway calls it at its start; in a
-- fleet, the value of the gateway that started last holds.
create or replace function portolan.note_mfa(mode text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.settings
as $$
  insert into portolan.settings as s (name, value) values ('mfa', to_jsonb(mode))
  on conflict (name) do update set value = excluded.value where s.value <> excluded.value
$$;
