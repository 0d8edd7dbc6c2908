-- Records the grants, default privileges and policies of the team's own objects that name roles (team_rights), so that
-- they can be restored where a dump was read in and these roles did not exist. Records also the parts of tables other
-- than columns (parts_of_tables), by which an incomplete restore is found. The gateway calls it when the catalogue has
-- changed, and so does every migration. Does nothing while a restored database waits for its repair.
create or replace function portolan.note_rights() returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write what was noted
as $$
begin
  if portolan.is_restored() then
    return;
  end if;
  insert into portolan.noted_database as n (identity, name)
  values (portolan.database_identity(), current_database())
  on conflict (one) do update set name = excluded.name where n.name <> excluded.name;
  with present as materialized (
    select * from portolan.team_rights()
  ), gone as (
    delete from portolan.noted_rights n
    where not exists (
      select from present p where (p.object, p.kind, p.name) = (n.object, n.kind, n.name))
  )
  insert into portolan.noted_rights as n (object, kind, name, statements)
  select p.object, p.kind, p.name, p.statements from present p
  on conflict on constraint noted_rights_pkey do update set statements = excluded.statements
    where n.statements <> excluded.statements;
  with present as materialized (
    select * from portolan.parts_of_tables()
  ), gone as (
    delete from portolan.noted_parts n
    where not exists (select from present p where (p.relation, p.part) = (n.relation, n.part))
  )
  insert into portolan.noted_parts (relation, part)
  select p.relation, p.part from present p
  except select n.relation, n.part from portolan.noted_parts n
  on conflict do nothing;
end
$$;
