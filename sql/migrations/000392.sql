-- What schema portolan is made of, as the last migration left it: kept by portolan.note_own_parts, and compared by doctor and by
-- the next migration.
create table portolan.noted_own_parts (
  -- such as `index portolan.audit_at`
  part text primary key,
  state text not null,
  -- makes it anew, where one statement does
  statement text,
  -- which major version of PostgreSQL, and which own_parts, wrote state: others may write it otherwise
  writer text not null
);
