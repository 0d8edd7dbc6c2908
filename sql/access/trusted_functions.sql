-- The functions that the option trustedFunctions names; null for one that does not exist.
create or replace function portolan.trusted_functions() returns table (name text, function oid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.settings
as $$
begin
  for name in
    select t.name
    from portolan.settings s cross join jsonb_array_elements_text(s.value) t (name)
    where s.name = 'trusted_functions'
  loop
    begin
      function := to_regprocedure(name);
    exception
      when others then function := null; -- before PostgreSQL 16 a text that names nothing may be an error
    end;
    return next;
  end loop;
end
$$;
