-- Change events: what was written to the tables that have events on, and the order in which it is delivered.
-- Rows are only ever appended, and cleared by age and size; nothing is claimed or updated.

-- One row for each statement, or for each thousand rows or megabyte of it, written in the writer's own transaction.
create table portolan.outbox (
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  -- the table that the statement named: a partition, where that was written to directly
  relation oid not null,
  -- what the columns were (see portolan.shape_stamp); the texts below are positional
  shape bigint,
  -- i, u, d; t: truncated, or changed in another way that has no rows to show
  operation "char" not null,
  -- nesting of triggers: what a row trigger writes is recorded before the statement that set it off
  depth smallint not null default 0,
  old text[],
  new text[]
);
create index outbox_xid on portolan.outbox (xid);
-- compressing costs the writer more than it saves: what is here stays for a day at most
alter table portolan.outbox
  alter column old set storage external,
  alter column new set storage external;

-- Batch n holds what became visible between its snapshot and the one of batch n - 1, and can be read again as long as
-- both are kept.
create table portolan.batches (
  n bigint primary key,
  snapshot pg_snapshot not null,
  at timestamptz not null default clock_timestamp(),
  -- highest id of the outbox that it holds
  last bigint not null,
  events integer not null,
  -- bytes of all batches since the epoch began, so that the size of what is kept is one subtraction
  total bigint not null,
  -- the tables in it, partitions as the partitioned table that they belong to
  relations oid[] not null
);

-- One row: which process reads the outbox, and of which life of this database the positions are.
create table portolan.event_reader (
  one boolean primary key default true constraint event_reader_is_one check (one),
  -- goes up whenever the lease changes hands
  term bigint not null default 0,
  -- backend of the holder's connection: as long as it lives, so does the lease
  pid integer,
  started timestamptz,
  epoch text not null default '',
  -- cluster, database and timeline in which transaction ids and snapshots have their meaning
  identity text
);
insert into portolan.event_reader default values;

-- 1 while the reader sleeps and wants to be woken. A sequence, because that is not transactional: a writer with an old
-- snapshot sees it all the same.
create sequence portolan.asleep minvalue 0 start 0;

-- What the columns of a table were, by the stamp that the outbox carries. No unique key: the first to write after DDL
-- notes them, and nobody shall wait for its transaction; a shape that is noted twice is the same.
create table portolan.shapes (
  relation oid not null,
  stamp bigint not null,
  -- in the order of the record's text
  attnums smallint[] not null,
  names text[] not null,
  types oid[] not null
);
create index shapes_relation_stamp on portolan.shapes (relation, stamp);

-- Which tables have events, so that a restore can repair the triggers.
create table portolan.event_tables (
  relation regclass primary key,
  -- what enable_events and disable_events were told; null: only the comment or the configuration spoke
  setting boolean,
  -- whether the triggers are there
  active boolean not null default false,
  -- the partitions that have triggers
  members oid[] not null default '{}'
);
