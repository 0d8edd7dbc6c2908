-- SQL that people save, with parameters, to run it again. Row security decides who sees which; it runs with the rights of the
-- account that runs it.
create table portolan.queries (
  name text primary key
    constraint queries_name_is_legal check (name ~ '^[a-z0-9-]{1,60}$'),
  title text
    constraint queries_title_fits check (length(title) between 1 and 200),
  q text not null
    constraint queries_q_fits check (length(q) between 1 and 100000),
  -- null: the operator's own
  owner text references portolan.users (name) on update cascade on delete set null,
  -- accounts and groups that see it; * for everybody
  shared text[] not null default '{}',
  -- counts the changes, so that a change knows which state it was made from
  version integer not null default 1
);
create index queries_owner on portolan.queries (owner);
alter table portolan.queries enable row level security;
