-- Earlier states of what accounts save: maps, queries, dashboards and views (see saved_kinds). tg__keep_version writes them.
create table portolan.saved_versions (
  noun text not null,
  name text not null,
  version integer not null,
  -- its members from then on, without those that say with whom it is shared
  item jsonb not null,
  -- who owns the thing now, and sees its versions; null: the operator
  owner text references portolan.users (name) on update cascade on delete set null,
  -- null: before versions were kept
  saved_by text,
  saved_at timestamptz,
  primary key (noun, name, version)
);
create index saved_versions_owner on portolan.saved_versions (owner);
alter table portolan.saved_versions enable row level security;
insert into portolan.saved_versions (noun, name, version, item, owner)
  select 'map', m.name, m.version, to_jsonb(m) - '{name,version,owner,shared}'::text[], m.owner from portolan.maps m
  union all
  select 'query', m.name, m.version, to_jsonb(m) - '{name,version,owner,shared}'::text[], m.owner from portolan.queries m
  union all
  select 'dashboard', m.name, m.version, to_jsonb(m) - '{name,version,owner,shared}'::text[], m.owner from portolan.dashboards m
  union all
  select 'view', m.name, m.version, to_jsonb(m) - '{name,version,owner,shared}'::text[], m.owner from portolan.views m;
