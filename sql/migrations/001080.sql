-- The account itself has set its address, and has not shown that it is its own.
alter table portolan.users add column email_claimed boolean not null default false;
