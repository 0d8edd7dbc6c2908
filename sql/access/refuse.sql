-- Refuses a request on a relation that a rule denies to the caller. Raises PX401 where a second factor would help, else 42501.
create or replace function portolan.refuse(relation regclass, request text) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if portolan.needs_factor(relation, request) then
    raise exception 'a rule denies % on % without a second factor', request, relation using errcode = 'PX401';
  end if;
  raise exception 'a rule denies % on %', request, relation using errcode = 'insufficient_privilege';
end
$$;
