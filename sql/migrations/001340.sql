-- It returns the id of the link now.
drop function if exists portolan.add_identity(text, text, text);
