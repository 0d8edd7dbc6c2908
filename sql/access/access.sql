-- The effect of rules on a request (select, insert, update, delete) of the caller on a relation: allow, limit or deny; also
-- deny where a rule names a table that could not be given its policies. Security invoker, since portolan.rule goes by the
-- caller. Raises PX400.
create or replace function portolan.access(relation regclass, request text default 'select') returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_command "char" :=
    case request when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w' when 'delete' then 'd' end;
  v_rule integer;
begin
  if v_command is null then
    raise exception 'a request must be select, insert, update or delete' using errcode = 'PX400';
  elsif not exists (
    select from portolan.ruled_commands r where r.relation = access.relation and r.command = v_command)
  then
    return 'allow';
  end if;
  v_rule := portolan.rule(relation, v_command);
  return case
    when v_rule = 0 then 'allow'
    when not (select c.relrowsecurity from pg_class c where c.oid = relation) then 'deny'
    when not row_security_active(relation) then 'allow' -- rules do not apply to its owner
    when v_rule = -1 then 'deny'
    else 'limit'
  end;
end
$$;
