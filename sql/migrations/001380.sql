-- When a person last signed in at the pages by the link: a link that only jobs use is no way to sign in.
alter table portolan.identities add column if not exists signed_in_at timestamptz;
-- Links that were made by a sign-in have the id of the provider; those of an administrator have the host of the issuer.
update portolan.identities i
set signed_in_at = coalesce(i.used_at, i.made_at)
where i.provider <> coalesce(substring(i.issuer from '^https?://([^/?#]+)'), i.issuer);
-- It knows now whether a person has signed in.
drop function if exists portolan.note_identity_use(text, text, text);
