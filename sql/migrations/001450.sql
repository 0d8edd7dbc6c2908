-- What a refused statement asked of the relation, so that the grant that is missing can be named.
alter table portolan.requests add column if not exists commands text[];
