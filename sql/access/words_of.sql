-- Everything in a statement that may be a name: its words in lower case, and quoted texts as they are.
create or replace function portolan.words_of(statement text) returns setof text
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select left(w.word, 63)
  from regexp_split_to_table(lower(statement collate "C"), '[\x01-\x23\x25-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]+') w (word)
  where w.word <> ''
  union
  select q.name from unnest(string_to_array(statement, '"')) q (name) where length(q.name) between 1 and 63
$$;
