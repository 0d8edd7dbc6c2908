-- The timeline that the primary writes on, as a row: a standby that has it follows that timeline, which nothing else tells
-- a login without rights on the server's statistics.
create table portolan.timeline (
  only_row boolean primary key default true check (only_row),
  timeline integer not null
);
insert into portolan.timeline (timeline) values (0);
