-- Writes a comment on a row, in the name of the caller's account, and returns its number. key: see key_condition. body: 1 to 10,000
-- characters. Security invoker: the caller must be signed in and may read the row. Raises PX400 for a table without a primary key,
-- PX404, PX409 for a row that has 1000 comments, and 42501.
create or replace function portolan.add_comment(relation regclass, key text, body text) returns bigint
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  insert into portolan.row_comments (relation, key, body) values (relation, key, body) returning id
$$;
