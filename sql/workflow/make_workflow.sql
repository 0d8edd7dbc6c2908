-- Makes the workflow of a table: its columns, triggers and policies. Present rows count as published; no row is
-- written. Raises PX400, PX404, PX409, 42501, and 55P03 if another session holds a lock.
create or replace function portolan.make_workflow(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_member regclass;
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_workflow(relation);
  perform set_config('portolan.following', 'on', true);
  begin
    -- a constant default: present rows are not written
    execute format(
      'alter table %s add column if not exists portolan_status smallint not null default 3, '
      'add column if not exists portolan_workflow jsonb', relation);
    perform portolan.add_workflow_history(relation);
    perform portolan.install_workflow(relation);
    insert into portolan.workflow_tables (relation) values (relation) on conflict do nothing;
    foreach v_member in array portolan.event_members(relation)::regclass[] loop
      perform portolan.protect(v_member, '{}');
    end loop;
  exception
    when insufficient_privilege then
      raise exception 'Portolan may not alter %: run grant % to %;', relation,
        (select quote_ident(pg_get_userbyid(c.relowner)) from pg_class c where c.oid = relation), quote_ident(current_user)
        using errcode = 'insufficient_privilege';
  end;
  perform portolan.follow_history();
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
