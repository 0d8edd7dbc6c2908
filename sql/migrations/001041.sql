-- It returns whether the account has signed in from a new place.
drop function if exists portolan.note_sign_in(text, text, text);
