-- The tokens of an expression in SQL without comments and dollar quotes, in order. kind: i for an identifier or a keyword, in
-- lower case, or for a quoted identifier as it is (is_quoted); s for a text, without its value; o for anything else.
create or replace function portolan.filter_tokens(expression text) returns table (
  number bigint, kind "char", name text, is_quoted boolean)
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select m.number,
    case when m.token[1] is not null then 's' when coalesce(m.token[2], m.token[3]) is not null then 'i' else 'o' end::"char",
    case
      when m.token[2] is not null then left(replace(substr(m.token[2], 2, length(m.token[2]) - 2), '""', '"'), 63)
      when m.token[3] is not null then left(lower(m.token[3] collate "C"), 63)
      when m.token[1] is null then m.token[4]
    end,
    m.token[2] is not null
  from regexp_matches(expression,
    '(''(?:[^'']|'''')*'')|("(?:[^"]|"")*")|([^\x01-\x40\x5b-\x5e\x60\x7b-\x7f][^\x01-\x23\x25-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]*)|(::|[0-9]+|\S)', 'g')
    with ordinality m (token, number)
$$;
