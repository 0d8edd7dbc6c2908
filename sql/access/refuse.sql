-- Refuses a request on a relation that a rule denies to the caller. Raises PX401 where a second factor would help, else 42501.
create or replace function portolan.refuse(relation regclass, request text) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_lack text := portolan.lack_of_factor(relation, request);
begin
  if v_lack = 'needed' then
    raise exception 'a rule denies % on % without a second factor', request, relation using errcode = 'PX401';
  elsif v_lack is not null then
    raise exception 'a rule denies % on % without a second factor, which this service does not offer (its option mfa is off)',
      request, relation using errcode = 'insufficient_privilege';
  end if;
  raise exception 'a rule denies % on %', request, relation using errcode = 'insufficient_privilege';
end
$$;
