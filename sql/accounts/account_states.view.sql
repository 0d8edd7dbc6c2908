-- When each account signed in last, and until when failures to sign in have it wait, at one address at least; null: never,
-- it need not. For the list of accounts, over REST (portolan.visible_users) and for `portolan user list`.
create or replace view portolan.account_states as
  select
    u.name, s.at as last_sign_in,
    (select max(l.locked_until) from portolan.lockouts l where l.user_name = u.name and l.locked_until > clock_timestamp())
      as locked_until
  from portolan.users u left join portolan.last_sign_ins s on s.user_name = u.name;
