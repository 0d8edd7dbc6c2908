-- portolan.collections has got a second parameter: which tables without geometry are asked for.
drop function if exists portolan.collections(text[]);
