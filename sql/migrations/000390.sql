-- What a dump has after the data of a table, and a restore that stopped half way has not: kept in line with the catalogue by
-- portolan.note_rights, and compared where the database is another one than that of which this was noted.
create table portolan.noted_parts (
  -- as a statement names it
  relation text not null,
  -- such as `policy own_rows`
  part text not null,
  primary key (relation, part)
);
