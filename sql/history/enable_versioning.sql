-- Keeps the history of a table from now on, whoever writes it. Harmless when it is kept already. Writers of the table
-- wait until its rows are copied. Raises PX400 for what cannot have history, PX404, and 42501 where the owner of
-- Portolan may not make triggers.
create or replace function portolan.enable_versioning(relation regclass) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make triggers is the owner's
as $$
#variable_conflict use_variable
declare
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_versioning(relation);
  insert into portolan.versioned_tables (relation, active) values (relation, false) on conflict do nothing;
  perform set_config('portolan.following', 'on', true);
  perform portolan.install_history(relation);
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

comment on function portolan.enable_versioning(regclass) is 'Keeps the history of a table from now on.';

revoke execute on function portolan.enable_versioning(regclass) from public;
