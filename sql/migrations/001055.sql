-- It tells the lifetimes of what a client gets.
drop function if exists portolan.list_clients(text[]);
