-- A client is told of a session that ended with its account, or whose account has another name since: by the identifier and
-- the seed that the account had.
alter table portolan.logouts
  add column openid_sub uuid,
  add column openid_seed uuid;
update portolan.logouts o
set openid_sub = u.openid_sub, openid_seed = u.openid_seed
from portolan.users u where u.name = o.user_name;
delete from portolan.logouts o where o.openid_sub is null; -- of accounts that are gone
alter table portolan.logouts
  alter column openid_sub set not null,
  alter column openid_seed set not null;
