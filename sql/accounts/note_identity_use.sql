-- Records that the subject of another provider has arrived from there: a person at the pages (`signs_in`), or a job by
-- the grant jwt_bearer. The gateway calls it, and then portolan.note_sign_in when the account has signed in. `network`:
-- sent by callers of version 0.2.0, and not used.
create or replace function portolan.note_identity_use(
  issuer text, subject text, network text default null, signs_in boolean default false) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write identities
as $$
  update portolan.identities i
  set used_at = clock_timestamp(), signed_in_at = case when signs_in then clock_timestamp() else i.signed_in_at end
  where i.issuer = note_identity_use.issuer and i.subject = note_identity_use.subject
$$;
