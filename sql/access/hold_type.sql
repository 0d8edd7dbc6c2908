-- Keeps the name of a type of a role that is no core owner until the transaction ends, for a statement of the owner that names
-- it: a domain of the same name would run its check. Takes a superuser. Raises PX409 where another type has the name by now.
create or replace function portolan.hold_type(type oid, name text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  begin
    perform from pg_type t where t.oid in (select a.oid from portolan.author_types(type) a) for share;
    perform from pg_namespace n
    where n.oid in (select t.typnamespace from portolan.author_types(type) a join pg_type t on t.oid = a.oid) for share;
  exception
    when insufficient_privilege then null;
  end;
  if to_regtype(name) is distinct from type then
    raise exception 'the type % was replaced meanwhile: try again', name using errcode = 'PX409';
  end if;
end
$$;
