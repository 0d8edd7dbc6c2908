-- Locks a table of Portolan that stands for changes which cannot be made at the same time. It waits 5 s, or as long as
-- lock_timeout allows where that is less, and raises 55P03 with what holds the lock. It waits in parts: DDL of others stands
-- in the queue behind it, and gives up following after 2 s (tg__follow_ddl). A part is longer than deadlock_timeout.
create or replace function portolan.lock_own(relation regclass, mode text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant text := current_setting('lock_timeout');
  v_end constant timestamptz := clock_timestamp() + least(nullif(v_limit, '0')::interval, '5 s');
begin
  loop
    perform set_config('lock_timeout', format('%sms',
      greatest(1, least(1500, ceil(1000 * extract(epoch from v_end - clock_timestamp()))))), true);
    begin
      execute format('lock table %s in %s mode', relation, mode);
      exit;
    exception
      when lock_not_available then
        if clock_timestamp() >= v_end then
          perform portolan.refuse_locked(relation, mode, case relation
            when 'portolan.rules'::regclass then 'another transaction changes tables or rules'
            else 'another transaction changes accounts or rights' end);
        end if;
    end;
  end loop;
  perform set_config('lock_timeout', v_limit, true);
end
$$;
