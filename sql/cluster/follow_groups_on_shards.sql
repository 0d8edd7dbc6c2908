-- Makes the policies of rules on shards again after groups or roles of accounts have changed, if a rule names them. Called after
-- one_at_a_time. Does nothing without Citus. Raises 55P03 where a table is in use.
create or replace function portolan.follow_groups_on_shards() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
  v_following text := current_setting('portolan.following', true);
begin
  if not portolan.has_citus() then
    return;
  end if;
  perform set_config('portolan.following', 'on', true); -- the event trigger need not follow these changes
  for v_relation in
    select s.relation from portolan.row_security s
    where portolan.shard_kind(s.relation) is not null and s.wanted <> portolan.wanted_protection(s.relation)
    order by s.relation::oid
  loop
    begin
      perform portolan.protect(v_relation, '{}');
    exception
      when lock_not_available then
        perform portolan.refuse_locked(v_relation, 'access exclusive', format('%s is in use', v_relation));
    end;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
