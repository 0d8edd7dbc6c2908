-- Records that an account has signed in with its password: the time, and an entry in the audit. The gateway calls it
-- (server/kernel/identity/signIn.ts). `address`: of the caller, null where it is not known. `via`: where the account signed
-- in, such as page.
create or replace function portolan.note_sign_in(name text, address text, via text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.last_sign_ins
as $$
  insert into portolan.last_sign_ins as l (user_name, at)
  select u.name, clock_timestamp() from portolan.users u where u.name = note_sign_in.name
  on conflict (user_name) do update set at = greatest(l.at, excluded.at);
  insert into portolan.audit (event, account, address, details)
  values ('sign_in', name, address, jsonb_build_object('via', via));
$$;
