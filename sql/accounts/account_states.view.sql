-- For each account, the time of its last sign-in, and the time until which at least one address must wait after failed
-- sign-ins. Null: never, or no wait. Read by the list of accounts over REST (portolan.visible_users) and by `portolan user
-- list`.
create or replace view portolan.account_states as
  select
    u.name, s.at as last_sign_in,
    (select max(l.locked_until) from portolan.lockouts l where l.user_name = u.name and l.locked_until > clock_timestamp())
      as locked_until
  from portolan.users u left join portolan.last_sign_ins s on s.user_name = u.name;
