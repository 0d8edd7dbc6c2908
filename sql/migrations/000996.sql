-- How far the log of each node of Citus (by the id of its group) has been read for events.
create table portolan.shard_positions (
  node integer primary key,
  upto pg_lsn not null
);
