-- The number of pages of the next portion, from the number of pages and the start of this one. It aims at 50 ms, the
-- time that a writer may have to wait.
create or replace function portolan.next_blocks(blocks bigint, began timestamptz) returns bigint
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  select greatest(1, least(blocks * 2, 65536,
    (blocks * 50 / greatest(1, extract(epoch from clock_timestamp() - began) * 1000))::bigint))
$$;
