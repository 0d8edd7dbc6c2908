-- Keeps the history of a table from now on, for every write. Does nothing when it is kept already. For a large table (over
-- 100,000 rows) it is a job, which copies the rows in portions while writers continue: returns its number, and null when all
-- is done. wait: do it in this call; writers wait until all rows are copied. Raises PX400 for a relation that cannot have
-- history, PX404, and 42501 where the owner of Portolan may not make triggers.
create or replace function portolan.enable_versioning(relation regclass, wait boolean default false) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make triggers is the owner's
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_following text := current_setting('portolan.following', true);
  v_index regclass;
  v_policy name;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_versioning(relation);
  perform portolan.stop_jobs('end_versioning', relation);
  select v.* into v_table from portolan.versioned_tables v where v.relation = enable_versioning.relation;
  if not coalesce(wait, false) and (v_table.filling or not coalesce(v_table.active, false) and portolan.is_large(relation)) then
    return portolan.queue_job('versioning', relation);
  end if;
  insert into portolan.versioned_tables (relation, active) values (relation, false) on conflict do nothing;
  if v_table.filling then -- only the remaining rows are copied now
    perform portolan.stop_jobs('versioning', relation);
    update portolan.versioned_tables v set filling = false, active = false where v.relation = enable_versioning.relation;
  elsif v_table.closing is not null then
    perform portolan.close_history(v_table.history, v_table.closing);
    update portolan.versioned_tables v set closing = null where v.relation = enable_versioning.relation;
  end if;
  perform set_config('portolan.following', 'on', true);
  begin
    perform portolan.install_history(relation);
  exception
    when lock_not_available then
      perform portolan.refuse_locked(relation, 'share row exclusive', format('%s is in use', relation));
  end;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  for v_index in select i.name from portolan.history_indexes(relation) i where i.has_code loop
    raise notice 'the history of % has no index like %, which would run the code of its owner there', relation, v_index;
  end loop;
  for v_policy in select c.name from portolan.policies_with_code(relation) c loop
    raise notice 'the history of % has a policy that lets nothing through in place of %, which would run the code of its owner',
      relation, quote_ident(v_policy);
  end loop;
  return null;
end
$$;
