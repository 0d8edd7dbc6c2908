-- Whose sign-ins a lock holds up, where there is such an account, and which lock of an address goes with it: so that a super
-- user can lift them. A name that is nobody's may be a password typed into the wrong field, and is not kept.
alter table portolan.lockouts
  add column user_name text,
  add column address_key text;
create index lockouts_user_name on portolan.lockouts (user_name) where user_name is not null;
