-- A value that changes with the rows of a table that a caller sees, for the snapshot of the calling statement: the stamp of
-- `table_stamp`, and the input of Portolan's policies where row security chooses the rows (null: it does not). Security
-- invoker: the answer is about the caller. In plpgsql, because as part of a statement it would be planned each time.
create or replace function portolan.table_state(
  relation oid, known text default null, out stamp text, out unchanged boolean, out viewer json)
  language plpgsql stable parallel restricted
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
  select s.stamp, s.unchanged into stamp, unchanged from portolan.table_stamp(relation, known) s;
  if stamp is not null and row_security_active(relation) then
    viewer := (
      select json_build_object(
        'rule', portolan.rule(relation, 'r'),
        'level', portolan.workflow_level(coalesce(pg_partition_root(relation), relation)),
        'name', (select m.name from portolan.me m),
        'properties', (select m.properties from portolan.me m)));
  end if;
end
$$;
