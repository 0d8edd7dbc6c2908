-- The lock on guessing. Checks (succeeded null) or records how a sign-in ended, and returns the seconds to wait; 0:
-- continue. The gateway calls it before and after it verifies a secret. An attempt that ends while the lock is on is
-- answered with the wait, whether it was right or wrong, so that parallel attempts learn nothing.
--
-- kind account: counted by (account, address), by address, and by account with ten times the limit. Every failure
-- counts for all three. The last two do not apply where the account has signed in from this address within 30 days
-- (portolan.note_sign_in), so that failures elsewhere lock nobody out. kind second_factor, where the guesser knows the
-- password: counted by (account, address), and by account with ten times the limit, which applies everywhere. Other
-- kinds (client, user_code): counted by (subject, address). The site of an IPv6 address (portolan.site_of) is counted
-- like the address, with sixteen times the limit. 10 failures are free; then the wait doubles from 1 second to 15
-- minutes. An hour without failures clears the count.
create or replace function portolan.attempt(kind text, subject text, address text, succeeded boolean default null)
  returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read or write the counters
as $$
declare
  v_keys text[] := array[kind || ':pair:' || subject || '@' || address];
  v_free integer[] := array[10];
  -- how many of the keys, from the first, can lock this caller out
  v_holding integer := 1;
  v_wait integer;
  v_site constant text := portolan.site_of(attempt.address);
begin
  if kind = 'account' then
    v_keys := v_keys || array[kind || ':address:' || address, kind || ':subject:' || subject];
    v_free := v_free || array[10, 100];
    if not exists (
      select from portolan.known_addresses k
      where k.user_name = subject and k.address = attempt.address and k.signed_in_at > now() - interval '30 days'
    ) then
      v_holding := 3;
    end if;
  elsif kind = 'second_factor' then
    v_keys := v_keys || array[kind || ':subject:' || subject];
    v_free := v_free || array[100];
    v_holding := 2;
  end if;
  if v_site is not null then
    v_keys := v_keys || (kind || ':site:' || case when kind = 'account' then '' else subject || '@' end || v_site);
    v_free := v_free || 160;
    if kind <> 'account' or v_holding = 3 then
      v_holding := v_holding + 1;
    end if;
  end if;
  select array_agg(encode(sha256(convert_to(k, 'UTF8')), 'hex') order by o) into v_keys
  from unnest(v_keys) with ordinality u (k, o);

  if succeeded is not null then
    if not succeeded then
      insert into portolan.lockouts (key, user_name, address_key, site_key)
      select k, u.name, case when kind = 'account' and n = 1 then v_keys[2] end,
        case when kind = 'account' and n = 1 and v_site is not null then v_keys[cardinality(v_keys)] end
      from unnest(v_keys) with ordinality f (k, n)
        left join portolan.users u on (kind = 'account' and n in (1, 3) or kind = 'second_factor') and u.name = subject
      order by k
      on conflict do nothing;
    end if;
    perform from portolan.lockouts l where l.key = any (v_keys) order by l.key for update;
  end if;
  select ceil(extract(epoch from max(l.locked_until) - clock_timestamp())) into v_wait
  from portolan.lockouts l
  where l.key = any (v_keys[:v_holding]) and l.locked_until > clock_timestamp();
  if v_wait > 0 or succeeded is null then
    return coalesce(v_wait, 0);
  end if;

  if succeeded then
    delete from portolan.lockouts l where l.key = v_keys[1];
    return 0;
  end if;
  with counted as (
    select
      l.key,
      free,
      case when l.last_failure_at < clock_timestamp() - interval '1 hour' then 1 else l.failures + 1 end as failures
    from unnest(v_keys, v_free) f (key, free) join portolan.lockouts l on l.key = f.key
  )
  update portolan.lockouts l
  set
    failures = c.failures,
    last_failure_at = clock_timestamp(),
    locked_until = case
      when c.failures <= c.free then l.locked_until
      else clock_timestamp() + make_interval(secs => least(power(2, least(c.failures - c.free - 1, 20)), 900))
    end
  from counted c
  where l.key = c.key;
  return 0;
end
$$;
