-- A row for each open transaction whose DDL on shards is followed at its end (tg__follow_ddl). Nobody sees a row of another.
create table portolan.ddl_on_shards (transaction xid8 primary key default pg_current_xact_id());
