-- Gives an account these recovery codes in place of those that it has. `codes`: hashes. The gateway calls it.
create or replace function portolan.set_recovery_codes(name text, codes text[], address text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write them
as $$
  delete from portolan.recovery_codes r where r.user_name = name;
  insert into portolan.recovery_codes (user_name, hash) select name, c.hash from unnest(codes) c (hash);
  insert into portolan.audit (event, account, address, details)
  values ('recovery_codes.made', name, address, jsonb_build_object('codes', cardinality(codes)));
$$;
