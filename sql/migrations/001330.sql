-- raise_not_found has its place.
drop function if exists portolan.nothing_of(text, text, text);
