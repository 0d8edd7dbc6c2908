-- A connection that has the number and the login of one that has ended without word is another one.
alter table portolan.own_sessions add column started timestamptz;
