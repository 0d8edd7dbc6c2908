-- The log of requests says which GraphQL operation or stored method was asked for, and which relation a refusal is about.
alter table portolan.requests add column operation text, add column relation text;
drop function if exists portolan.list_requests(text, text, text, text, timestamptz, real, bigint, integer);
