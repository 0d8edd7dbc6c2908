-- Views of tables: the rows that a filter selects, their order and columns, and how they are shown. Row security decides who sees
-- which view; its rows are read with the rights of the account that looks at them.
create table portolan.views (
  name text primary key
    constraint views_name_is_legal check (name ~ '^[a-z0-9-]{1,60}$'),
  title text
    constraint views_title_fits check (length(title) between 1 and 200),
  relation regclass not null,
  kind text not null default 'grid',
  filter jsonb,
  sort text,
  columns jsonb,
  fields jsonb,
  -- null: the operator's own
  owner text references portolan.users (name) on update cascade on delete set null,
  -- accounts and groups that see it; * for everybody
  shared text[] not null default '{}',
  -- counts the changes, so that a change knows which state it was made from
  version integer not null default 1
);
create index views_owner on portolan.views (owner);
create index views_relation on portolan.views (relation);
alter table portolan.views enable row level security;

-- has the name of the others now
drop policy if exists drop_querys on portolan.queries;
