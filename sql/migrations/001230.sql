-- Each node of Citus is read by itself.
drop function if exists portolan.read_shards(integer);
drop function if exists portolan.make_shard_slots(text);
