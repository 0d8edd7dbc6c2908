-- What a dump without roles would lose: pg_restore refuses the whole list of grants of an object, and a policy, when one
-- role of it does not exist. Kept in line with the catalogue by portolan.note_rights, and written again by repair_roles
-- where the database is another one than that of which this was noted.
create table portolan.noted_rights (
  -- the object, as a statement names it, and what was noted of it
  object text not null,
  kind text not null
    constraint noted_rights_kind check (kind in ('grants', 'defaults', 'policy')),
  -- name of the policy; else empty
  name text not null default '',
  -- SQL that makes it so; roles as they were named
  statements text[] not null,
  primary key (object, kind, name)
);

-- Which database that was: the cluster's system identifier and the oid and name of the database.
create table portolan.noted_database (
  one boolean primary key default true constraint noted_database_is_one check (one),
  identity text not null,
  name text not null
);
