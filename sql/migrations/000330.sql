-- It tells of history and workflow, too.
drop function if exists portolan.list_tables(text, text);
