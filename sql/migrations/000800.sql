-- Maps that people save: layers of collections, and the view that opens first. Row security decides who sees which.
create table portolan.maps (
  name text primary key
    constraint maps_name_is_legal check (name ~ '^[a-z0-9-]{1,60}$'),
  title text
    constraint maps_title_fits check (length(title) between 1 and 200),
  -- null: the operator's own
  owner text references portolan.users (name) on update cascade on delete set null,
  -- accounts and groups that see it; * for everybody
  shared text[] not null default '{}',
  view jsonb,
  layers jsonb not null default '[]',
  -- counts the changes, so that a change knows which state it was made from
  version integer not null default 1
);
create index maps_owner on portolan.maps (owner);
alter table portolan.maps enable row level security;
