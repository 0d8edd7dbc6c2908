-- The saved things (see saved_kinds) that an account owns and the caller sees: for each its kind, name and title, and
-- the accounts that it is shared with (* for everybody). Shared ones come first.
create or replace function portolan.saved_of(account text) returns table (noun text, name text, title text, shared text[])
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query execute (
    select format(
      'select * from (%s) s (noun, name, title, shared) order by s.shared = ''{}'', s.noun, s.name',
      string_agg(
        format('select %L::text, m.name, m.title, m.shared from portolan.%I m where m.owner = lower($1)', k.noun, k.relation),
        ' union all '))
    from portolan.saved_kinds() k)
    using account;
end
$$;
