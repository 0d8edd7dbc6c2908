-- It tells whether the batch of a position is known.
drop function if exists portolan.event_log(bigint, integer, oid[]);
