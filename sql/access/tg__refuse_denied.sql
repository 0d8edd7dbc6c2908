-- Refuses a write that a rule denies, even one of no rows: a denied read gives no rows, a denied write is an error. The
-- triggers _050_refuse_denied_… call it; security invoker, since portolan.rule goes by the caller. Rules do not apply to
-- roles that are exempt from the row security of the table (its owner, and so every cascade of a foreign key). Raises 42501, PX401.
create or replace function portolan.tg__refuse_denied() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if row_security_active(tg_relid)
    and portolan.rule(tg_relid, case tg_op when 'INSERT' then 'a' when 'UPDATE' then 'w' else 'd' end::"char") = -1
  then
    perform portolan.refuse(tg_relid, lower(tg_op));
  end if;
  return null;
end
$$;
