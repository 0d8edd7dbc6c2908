-- Keeps SQL that an account wrote from writing methods: its transaction may stay open for long, and meanwhile nobody could
-- define a method or remove that account. REST, super users and the operator are not affected. Raises 42501.
create or replace function portolan.tg_methods__refuse_own_sql() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from portolan.me m where coalesce(m.service, 'sql') in ('sql', 'mcp sql') and not m.superuser) then
    raise exception 'methods are defined over REST: /api/v4/methods' using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$$;
