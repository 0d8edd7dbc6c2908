-- Restores what note_rights recorded in the database that this one was restored or copied from: grants, default privileges
-- and policies of the team that name roles, under the names that the roles of accounts have here. Each of these is a warning
-- with the statement: it names another role that does not exist here; the owner of Portolan may not do it; a policy would
-- run an author's code when it is written (code_in_value). A policy that came with the dump is left as it is, unless it
-- names the roles of another database.
create or replace function portolan.restore_rights() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_before text := (select n.name from portolan.noted_database n);
  v_object text;
  v_policy text;
  v_statement text;
  v_kind text;
  v_code text;
begin
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  for v_object, v_policy, v_statement, v_kind in
    select n.object, p.polname, s.statement, n.kind
    from portolan.noted_rights n
      cross join unnest(n.statements) with ordinality s (statement, number)
      left join pg_policy p
        on p.polrelid = case n.kind when 'policy' then to_regclass(n.object) end and p.polname = n.name
    where p.oid is null or v_before <> current_database()
    order by n.object, n.kind, n.name, s.number
  loop
    -- the name of a role with an @ is quoted, and ends like this
    v_statement := replace(v_statement,
      substr(quote_ident('@' || v_before), 2), substr(quote_ident('@' || current_database()), 2));
    v_code := case when v_kind = 'policy' then portolan.code_in_filter(to_regclass(v_object), v_statement) end;
    if v_code is not null then
      raise warning 'Portolan does not write again what %: its owner may: %', v_code, v_statement;
      continue;
    end if;
    begin
      if v_policy is not null then
        execute format('drop policy %I on %s', v_policy, v_object);
      end if;
      execute v_statement;
    exception
      when undefined_object or undefined_table or undefined_function or invalid_schema_name or insufficient_privilege then
        raise warning 'Portolan could not write again: %; (%)', v_statement, sqlerrm;
    end;
  end loop;
  perform set_config('portolan.following', '', true);
  delete from portolan.noted_database;
end
$$;
