-- Compiles the rules after each statement that wrote them. The triggers _500_compile_… call it. Raises what
-- compile raises, so that a rule which cannot hold is not stored.
create or replace function portolan.tg_rules__compile() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make policies is the owner's
as $$
declare
  v_written integer[] := '{}';
begin
  if tg_op in ('INSERT', 'UPDATE') then
    v_written := array(select r.id from new_rows r);
  end if;
  perform portolan.compile(v_written);
  perform portolan.follow_history();
  return null;
end
$$;
