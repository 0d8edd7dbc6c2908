-- When each account last gave its password to sign in: the audit, which tells too, is kept for a time only.
create table portolan.last_sign_ins (
  user_name text primary key references portolan.users (name) on update cascade on delete cascade,
  at timestamptz not null
);
insert into portolan.last_sign_ins (user_name, at)
select u.name, max(a.at)
from portolan.audit a join portolan.users u on u.name = a.account
where a.event = 'sign_in'
group by u.name;
