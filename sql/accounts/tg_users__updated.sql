-- Notes when the claims of an account were changed.
create or replace function portolan.tg_users__updated() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
