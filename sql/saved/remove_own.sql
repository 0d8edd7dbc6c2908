-- Removes what its owner may remove: a method, a comment on a row, or a saved thing (see saved_kinds). key: its name, or the
-- number of the comment. Super users may remove all. False where the caller may not, and where there is none.
create or replace function portolan.remove_own(noun text, key text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: a role that may delete from a table may lock it, and all others wait
as $$
#variable_conflict use_variable
declare
  v_account text := portolan.calling_account();
  v_table name := (select k.relation from portolan.saved_kinds() k where k.noun = remove_own.noun);
  v_count integer;
begin
  if noun = 'method' then
    delete from portolan.methods m where m.method = key and (v_account is null or m.owner = v_account);
  elsif noun = 'comment' then
    delete from portolan.row_comments c where c.id = key::bigint and (v_account is null or c.author = v_account);
  elsif v_table is not null then
    execute format('delete from portolan.%I m where m.name = $1 and ($2 is null or m.owner = $2)', v_table)
      using key, v_account;
  end if;
  get diagnostics v_count = row_count;
  return v_count > 0;
end
$$;
