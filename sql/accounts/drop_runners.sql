-- Forgets the runners of roles that no account uses any more, and the runners of the database that this one was copied from.
-- Drops those that belong to this database.
create or replace function portolan.drop_runners() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_login text;
begin
  for v_login in
    delete from portolan.logins l
    where l.kind = 'runner' and (
      l.role is distinct from portolan.runner_role(l.runs_as)
      or not exists (select from portolan.users u where u.role = l.runs_as and not u.role_made))
    returning l.role
  loop
    if v_login like '%@' || replace(current_database(), '_', '\_') and to_regrole(quote_ident(v_login)) is not null then
      begin
        execute format('drop role %I', v_login);
      exception
        when insufficient_privilege or dependent_objects_still_exist then
          raise warning 'Portolan cannot drop the role %: %', v_login, sqlerrm;
      end;
    end if;
  end loop;
end
$$;
