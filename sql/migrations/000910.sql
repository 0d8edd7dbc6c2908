-- How many tiles a pyramid has, and their bytes: triggers count, so that nobody has to look at all of them.
alter table portolan.pyramids
  add column tiles bigint not null default 0,
  add column bytes bigint not null default 0;
update portolan.pyramids p
set (tiles, bytes) = (
  select count(*), coalesce(sum(octet_length(t.content)), 0) from portolan.pyramid_tiles t where t.pyramid = p.id);
