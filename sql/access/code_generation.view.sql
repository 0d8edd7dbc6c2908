-- A number that changes with every command that may have made code somebody else's. The gateway reads it in the statement that
-- begins a request on a connection that more accounts share: what it knows of whose code runs there must be true then.
create or replace view portolan.code_generation as
  select coalesce(bit_xor(hashint8extended(c.id, 0)), 0) as generation from portolan.code_changes c;
