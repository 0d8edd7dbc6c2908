-- Claims the header Idempotency-Key of a mutation for the account, within the transaction of the mutation. It waits for
-- another transaction that has claimed the key and has not ended. False: one was committed within a day.
create or replace function portolan.claim_request(key text) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.used_ids
as $$
  select portolan.use_id(md5(jsonb_build_array('request', portolan.actor(), key)::text)::uuid, 86400)
$$;
