-- Dashboards: charts, numbers and tables of SQL. Row security decides who sees which; each panel runs with the rights of the
-- account that looks at it.
create table portolan.dashboards (
  name text primary key
    constraint dashboards_name_is_legal check (name ~ '^[a-z0-9-]{1,60}$'),
  title text
    constraint dashboards_title_fits check (length(title) between 1 and 200),
  panels jsonb not null default '[]',
  -- null: the operator's own
  owner text references portolan.users (name) on update cascade on delete set null,
  -- accounts and groups that see it; * for everybody
  shared text[] not null default '{}',
  -- counts the changes, so that a change knows which state it was made from
  version integer not null default 1
);
create index dashboards_owner on portolan.dashboards (owner);
alter table portolan.dashboards enable row level security;
