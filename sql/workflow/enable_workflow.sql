-- Rows of a table are drafted, reviewed and published from now on; those that are there are published. Harmless when it
-- is on. Raises PX400, PX404, PX409, and 42501 where the table is not the owner's of Portolan.
create or replace function portolan.enable_workflow(relation regclass) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to alter the table is the owner's
  set lock_timeout = '5s'
as $$
#variable_conflict use_variable
declare
  v_class record;
  v_member regclass;
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  select c.relkind, c.relispartition, c.relpersistence into v_class from pg_class c where c.oid = relation;
  if v_class.relkind not in ('r', 'p') then
    raise exception '% is no table', relation using errcode = 'PX400';
  elsif v_class.relispartition then
    raise exception '% is a partition: workflow is of %', relation, pg_partition_root(relation) using errcode = 'PX400';
  elsif v_class.relkind = 'r' and exists (
    select from pg_inherits i where i.inhrelid = relation or i.inhparent = relation)
  then
    raise exception '% has parents or children by INHERITS, where one row belongs to several tables', relation
      using errcode = 'PX400';
  elsif exists (
    select from pg_attribute a
    where a.attrelid = relation and not a.attisdropped
      and (a.attname = 'portolan_status' and a.atttypid <> 'smallint'::regtype
        or a.attname = 'portolan_workflow' and a.atttypid <> 'jsonb'::regtype))
  then
    raise exception '% has a column portolan_status or portolan_workflow of another type', relation using errcode = 'PX400';
  end if;
  perform set_config('portolan.following', 'on', true);
  begin
    -- a constant default: the rows that are there are not written
    execute format(
      'alter table %s add column if not exists portolan_status smallint not null default 3, '
      'add column if not exists portolan_workflow jsonb', relation);
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

comment on function portolan.enable_workflow(regclass) is 'Rows of a table are drafted, reviewed and published from now on.';

revoke execute on function portolan.enable_workflow(regclass) from public;
