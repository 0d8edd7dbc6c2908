-- The exchange of a code also tells which family of tokens it has ended.
drop function if exists portolan.use_code(text, text, text, text, uuid, uuid, integer, integer, text, text);
