-- Notes a command that may have made code somebody else's, in its own transaction: whoever sees what it did sees the note. The
-- event trigger portolan_note_code calls it, where a superuser could make that. A row is added, and none changed, so that no
-- DDL waits for other DDL. DDL never fails because of it.
create or replace function portolan.tg__note_code() returns event_trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: whoever runs DDL may not write the table
as $$
declare
  v_kept constant bigint := 32;
  v_id bigint;
begin
  if tg_tag ~ '^(COMMENT|SECURITY LABEL|REINDEX|REFRESH MATERIALIZED VIEW|ALTER DEFAULT PRIVILEGES)$'
    or tg_tag ~ '^(CREATE|ALTER|DROP) (SEQUENCE|PUBLICATION|SUBSCRIPTION|COLLATION|TEXT SEARCH .*)$'
    or (select count(*) > 0 and bool_and(coalesce(d.schema_name = 'pg_temp', false)) from pg_event_trigger_ddl_commands() d)
  then
    return;
  end if;
  insert into portolan.code_changes default values returning id into v_id;
  delete from portolan.code_changes c
  where c.id in (select o.id from portolan.code_changes o where o.id <= v_id - v_kept for update skip locked);
exception
  when others then
    raise warning 'Portolan could not note %: %', tg_tag, sqlerrm;
end
$$;
