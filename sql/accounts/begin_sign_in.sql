-- Stores a sign-in that waits for the next step of a person in a browser, for ten minutes. An account may have 20 of
-- these, and there may be 10,000 without an account; beyond that the oldest is removed. `hash`: of the id in the form.
-- `upstream`: of a sign-in at another provider. The gateway calls it.
create or replace function portolan.begin_sign_in(
  hash text, user_name text default null, secret text default null, challenge text default null, upstream jsonb default null
) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write these
as $$
begin
  insert into portolan.sign_ins (hash, user_name, token_version, secret, challenge, upstream, expires_at)
  select begin_sign_in.hash, begin_sign_in.user_name, u.token_version, begin_sign_in.secret, begin_sign_in.challenge,
    begin_sign_in.upstream, clock_timestamp() + interval '10 minutes'
  from (values (begin_sign_in.user_name)) given (name) left join portolan.users u using (name);
  if begin_sign_in.user_name is null then
    delete from portolan.sign_ins s
    where s.hash in (
      select l.hash from portolan.sign_ins l where l.upstream is not null and l.user_name is null
      order by l.expires_at desc, l.hash offset 10000);
    return;
  end if;
  delete from portolan.sign_ins s
  where s.user_name = begin_sign_in.user_name
    and s.hash not in (
      select l.hash from portolan.sign_ins l where l.user_name = begin_sign_in.user_name
      order by l.expires_at desc, l.hash limit 20);
end
$$;
