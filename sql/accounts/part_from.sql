-- For a copy of the database `original`, after its roles were made here: removes everything that the roles of the
-- original have here. Objects that they own go to the role of the same account here, else to owner@. Grants to them,
-- and policies for them alone, are dropped. Their rights on other databases stay. A step that the owner of Portolan may
-- not do is a warning.
create or replace function portolan.part_from(original text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role record;
  v_statement text;
begin
  for v_role in
    select r.oid, r.rolname as name, portolan.role_name(left(r.rolname, -length(original) - 1)) as heir
    from pg_roles r
    where right(r.rolname, length(original) + 1) = '@' || original
      and exists (
        select from pg_shdepend s join pg_database d on d.oid = s.dbid
        where s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid and d.datname = current_database())
    order by r.rolname
  loop
    if to_regrole(quote_ident(v_role.heir)) is null then
      v_role.heir := portolan.role_name('owner');
    end if;
    for v_statement in select s.statement from (
      select 1 as number, format('reassign owned by %I to %I', v_role.name, v_role.heir) as statement
      union all
      select 2, format('drop owned by %I', v_role.name)
      union all
      -- drop owned would revoke these too
      select 3, format('grant %s on database %I to %I%s', a.privilege_type, d.datname, v_role.name,
        case when a.is_grantable then ' with grant option' else '' end)
      from pg_database d cross join aclexplode(d.datacl) a
      where a.grantee = v_role.oid and d.datname <> current_database()) s
      order by s.number
    loop
      begin
        execute v_statement;
      exception
        when insufficient_privilege then
          raise warning 'Portolan could not take from "%" what it has here: %; (%)', v_role.name, v_statement, sqlerrm;
          exit; -- objects that are not reassigned must not be dropped
      end;
    end loop;
  end loop;
  perform portolan.note_rights();
end
$$;
