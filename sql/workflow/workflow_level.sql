-- The caller's role in the workflow of a table: 0 reader, 1 author, 2 reviewer, 3 publisher. Super users are
-- publishers. writing: a caller that is not an account, such as an owner's function or a script of the team, writes as
-- a publisher, but reads as a reader. The policies portolan_workflow_… call this function once for each statement, and
-- so does tg__workflow. Security invoker.
create or replace function portolan.workflow_level(relation regclass, writing boolean default false) returns integer
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp -- an operator of the caller's own must not decide
as $$
declare
  v_superuser boolean;
begin
  select m.superuser into v_superuser from portolan.me m;
  if not found then
    return case when writing then 3 else 0 end;
  elsif v_superuser then
    return 3;
  end if;
  return coalesce((select w.level from portolan.my_workflow w where w.relation = workflow_level.relation), 0);
end
$$;
