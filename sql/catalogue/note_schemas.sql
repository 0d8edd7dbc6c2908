-- Records which schemas the configuration exposes (null: the default), so that rights are given only on relations in
-- these schemas. The gateway calls it at its start. Raises PX400 for a schema of the system or of Portolan.
create or replace function portolan.note_schemas(schemas text[]) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.settings
as $$
begin
  if exists (select from unnest(schemas) s where s ~ '^pg_' or s in ('information_schema', 'portolan')) then
    raise exception 'schemas of the system cannot be exposed' using errcode = 'PX400';
  end if;
  delete from portolan.settings s where s.name = 'schemas' and schemas is null;
  insert into portolan.settings as s (name, value)
  select 'schemas', to_jsonb(schemas) where schemas is not null
  on conflict (name) do update set value = excluded.value where s.value is distinct from excluded.value;
end
$$;
