-- Removes a method. Raises PX403 for another account's method, PX404 for one that the caller cannot see.
create or replace function portolan.drop_method(method text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from portolan.methods m where m.method = drop_method.method) then
    raise exception 'there is no method "%"', method using errcode = 'PX404';
  end if;
  if not portolan.remove_own('method', method) then
    raise exception 'the method "%" belongs to another account', method using errcode = 'PX403';
  end if;
end
$$;
