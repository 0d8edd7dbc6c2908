-- Links for the accounts of a person who has forgotten a password, valid for an hour: one for each account of that name
-- or e-mail address which has an address. An address that the account only claims does not count, because a stolen
-- token could have set it. An account gets at most one link in five minutes. The gateway calls it and sends the links
-- by mail; the person who asked must not learn the result.
create or replace function portolan.forgotten_password(identifier text, address text)
  returns table (name text, email text, token text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.one_time_links
as $$
#variable_conflict use_column
declare
  v_identifier constant text := lower(trim(identifier));
begin
  for name, email in
    select u.name, u.email
    from portolan.users u
    where (u.name = v_identifier or lower(u.email) = v_identifier)
      and u.email is not null and not u.email_claimed and u.name <> 'anonymous' and not u.default_user
      and not exists (
        select from portolan.one_time_links l
        where l.user_name = u.name and l.purpose = 'password' and l.email is not null
          and l.made_at > clock_timestamp() - interval '5 minutes')
    order by u.name
    limit 5
  loop
    token := portolan.new_link(name, 'password', interval '1 hour', email);
    insert into portolan.audit (event, account, address) values ('password.forgotten', name, forgotten_password.address);
    return next;
  end loop;
end
$$;
