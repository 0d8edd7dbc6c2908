-- The parts of a rule that match nothing yet, in sentences: a glob may do that on purpose, or be misspelt. The same for
-- an mfa that no account can satisfy. Super users get these for a new rule, over REST and on the command line.
create or replace function portolan.rule_notes(id integer) returns text[]
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the rules
as $$
  select array_remove(array[
      case when not exists (
        select from portolan.users u where u.name like portolan.like_pattern(r.username)) then
        format('no account matches "%s" yet', r.username) end,
      case when not exists (select from portolan.rule_map m where m.id = r.id) then
        'no table matches it yet' end,
      case when r.mfa and not portolan.offers_factors() then
        'it denies every session: no account may have a second factor while the option mfa is off' end
    ], null)
  from portolan.rules r
  where r.id = rule_notes.id
$$;
