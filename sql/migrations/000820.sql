-- Ids that count once are half as wide, and a gateway that is the only one to get proofs answers for them from its memory.
create unlogged table portolan.once (
  id uuid primary key,
  expires_at timestamptz not null
);
insert into portolan.once (id, expires_at) select left(u.hash, 32)::uuid, u.expires_at from portolan.used_ids u;
drop function if exists portolan.use_ids(text[], integer[]);
drop table portolan.used_ids;
alter table portolan.once rename to used_ids;
alter table portolan.used_ids rename constraint once_pkey to used_ids_pkey;

-- One row. It is lost with the ids when PostgreSQL crashes, so that this is noticed.
create unlogged table portolan.id_keeper (
  only_row boolean primary key default true constraint id_keeper_only_row check (only_row),
  -- the store of the gateway that wrote last
  keeper uuid,
  -- when another one than that had written
  others_at timestamptz,
  -- until then the keeper answers from its memory, and the others wait; null: nobody does
  alone_until timestamptz,
  -- ids that were used before may not have been written
  lost_at timestamptz
);
insert into portolan.id_keeper default values;
