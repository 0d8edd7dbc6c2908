-- The count of the IPv6 site beside that of the address, so that lift_lockout finds it.
alter table portolan.lockouts add column site_key text;
