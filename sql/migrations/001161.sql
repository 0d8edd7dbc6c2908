-- What the tables and types that a transaction is about to change were like before: hold_shape writes it, note_schema_change
-- compares. Rows of other transactions are of no use.
create table portolan.held_shapes (
  xid xid8 not null default pg_current_xact_id(),
  catalogue oid not null,
  object oid not null,
  shape jsonb not null,
  primary key (xid, catalogue, object)
);
