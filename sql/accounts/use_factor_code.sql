-- Uses up a code of an account: one of its authenticator, which the gateway has verified, of the time step `step`; or
-- else a recovery code with this hash. Each is valid once; with a step, codes of all earlier steps become invalid.
-- Returns whether it was valid. The gateway calls it.
create or replace function portolan.use_factor_code(name text, step bigint, code_hash text default null) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
begin
  if step is not null then
    update portolan.factors f
    set last_step = use_factor_code.step, used_at = clock_timestamp()
    where f.user_name = use_factor_code.name and f.kind = 'totp' and f.last_step < use_factor_code.step;
  else
    delete from portolan.recovery_codes r where r.user_name = use_factor_code.name and r.hash = code_hash;
    if found then
      insert into portolan.audit (event, account, details)
      select 'recovery_code.used', name, jsonb_build_object('left', count(*)) from portolan.recovery_codes r where r.user_name = use_factor_code.name;
      return true;
    end if;
  end if;
  return found;
end
$$;
