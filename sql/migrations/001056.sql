-- It writes into the audit from where the first guest of a client came.
drop function if exists portolan.guest_family(text, text, bigint, integer);
-- It writes down how the account has signed in.
drop function if exists portolan.note_sign_in(text, text, text, text);
