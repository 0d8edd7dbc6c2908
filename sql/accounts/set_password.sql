-- Gives an account a new password, a text or a hash. Its tokens and sessions end, and so does a link for setting a password.
-- Raises PX400, PX404.
create or replace function portolan.set_password(name text, password text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.users
as $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if v_user.name = 'anonymous' or password is null then
    raise exception 'the account "%" cannot have this password', v_user.name using errcode = 'PX400';
  end if;
  update portolan.users u
  set
    password = portolan.hash_password(set_password.password),
    token_version = greatest(u.token_version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  where u.name = v_user.name;
  perform portolan.sign_out(s.hash) from portolan.sessions s where s.user_name = v_user.name;
  delete from portolan.one_time_links l where l.user_name = v_user.name;
end
$$;
