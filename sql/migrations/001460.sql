-- The timeline on which that position is: a node that fails over begins another.
alter table portolan.shard_positions add column timeline integer;
