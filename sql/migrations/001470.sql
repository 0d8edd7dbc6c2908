-- The client of the token that a request came with, so that those of one client can be found, or left out.
alter table portolan.requests add column client text;
