-- Checks a comment in every write, and sets its author and time. Raises PX400, PX404 where the caller may not read the
-- row, PX409 for a row that has 1000 comments, and 42501 for a caller who is not signed in.
create or replace function portolan.tg_row_comments__check() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_account constant text := (select m.name from portolan.me m);
  v_key text;
begin
  if new.body is null or new.body !~ '\S' or length(new.body) > 10000 then
    raise exception 'body: must have 1 to 10000 characters' using errcode = 'PX400';
  elsif tg_op = 'UPDATE' then
    new.changed_at := now();
    return new;
  elsif v_account = 'anonymous' or v_account is null and not portolan.is_super_user() then
    raise exception 'only accounts may comment on rows' using errcode = 'insufficient_privilege';
  elsif cardinality(portolan.key_columns(new.relation)) = 0 then
    raise exception '% has no primary key', new.relation using errcode = 'PX400';
  end if;
  v_key := portolan.seen_key(new.relation, new.key);
  if v_key is null then
    raise exception 'there is no row "%" in % that you may see', new.key, new.relation using errcode = 'PX404';
  end if;
  if (select count(*) from portolan.row_comments c where c.relation = new.relation and c.key = v_key) >= 1000 then
    raise exception 'the row "%" has 1000 comments, which is the most', v_key using errcode = 'PX409';
  end if;
  new.key := v_key;
  new.author := v_account;
  new.created_at := now();
  return new;
end
$$;
