-- The account of a role. A role that comes as a name, as session_user does, is compared by the collation "C", which an index of
-- the usual one does not have.
create index users_role_name on portolan.users (role collate "C", name);

-- Anybody may ask for a forgotten password and for an account, by an address.
create index users_email on portolan.users (lower(email));
