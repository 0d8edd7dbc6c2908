-- Makes the policies of the workflow on a table or partition (root: the table that has the workflow). Readers see
-- published rows. An author also sees the author's own drafts until they are published. Reviewers and publishers see
-- all rows. Nobody can change a row that they do not see, so no refusal reveals a hidden row. The status that the
-- trigger set must be one that the writer may give, even if a later trigger changed it.
create or replace function portolan.protect_by_workflow(relation regclass, root regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_level text := format('(select portolan.workflow_level(%L::regclass, WRITING))', root);
  v_visible text := format(
    'portolan_status = 3 or %1$s >= 2 or %1$s = 1 and portolan_workflow ->> ''author'' = (select m.name from portolan.me m)',
    v_level);
  v_reads text := replace(v_visible, 'WRITING))', 'false))');
  v_writes text := replace(v_visible, 'WRITING))', 'true))');
  v_allowed text := 'portolan_status <= ' || replace(v_level, 'WRITING))', 'true))');
begin
  execute format('create policy portolan_workflow_select on %s as restrictive for select to public using (%s)',
    relation, v_reads);
  execute format('create policy portolan_workflow_insert on %s as restrictive for insert to public with check (%s)',
    relation, v_allowed);
  execute format(
    'create policy portolan_workflow_update on %s as restrictive for update to public using (%s) with check (%s)',
    relation, v_writes, v_allowed);
  execute format('create policy portolan_workflow_delete on %s as restrictive for delete to public using (%s)',
    relation, v_writes);
end
$$;
