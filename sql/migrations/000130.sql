-- Triggers of history tell the outbox of writes to tables that have no events: they are made again, by follow_history, when
-- the catalogue is next looked at.
update portolan.versioned_tables set seen = '' where active;

comment on column portolan.outbox.operation is
  'i, u, d: rows; t: truncated, or changed in another way that has no rows to show; v: written to a table that has history and no events';
