-- Each command that may have made code somebody else's: see tg__note_code.
create table portolan.code_changes (id bigint generated always as identity primary key);
