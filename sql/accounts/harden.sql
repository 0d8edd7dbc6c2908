-- Closes what portolan.open_doors lists, as far as the migrating role may; functions of pg_catalog take a superuser.
-- Logins that exist and are not accounts keep their rights, because their programs may use them. Every migration calls
-- it. Does nothing when nothing is open.
create or replace function portolan.harden() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_statements text[];
  v_statement text;
  v_others text;
begin
  if not (select r.rolsuper from pg_roles r where r.rolname = current_user) then
    return;
  end if;
  v_statements := array(select d.statement from portolan.open_doors() d);
  if v_statements = '{}' then
    return;
  end if;
  select string_agg(quote_ident(r.rolname), ', ') into v_others
  from pg_roles r
  where r.rolcanlogin and not r.rolsuper and r.rolname !~ '@'
    and not exists (select from portolan.logins l where l.role = r.rolname);
  foreach v_statement in array v_statements loop
    if v_others is not null then
      execute regexp_replace(regexp_replace(v_statement, '^revoke', 'grant'), 'from public$', 'to ' || v_others);
    end if;
    execute v_statement;
  end loop;
end
$$;
