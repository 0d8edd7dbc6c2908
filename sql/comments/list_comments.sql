-- The comments on a row of a table that the caller may see, oldest first; where row_key is null those on all of its rows, latest
-- first, of numbers lower than `before`. row_key: see key_condition. may_change: whether the caller has written it; may_remove: also
-- for super users, who also see comments on rows that are gone. Raises PX400, and PX404 for a row that the caller cannot see.
create or replace function portolan.list_comments(
  relation regclass, row_key text default null, most integer default 100, before bigint default null
) returns table (
  id bigint, key text, body text, author text, created_at timestamptz, changed_at timestamptz, may_change boolean, may_remove boolean
)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_account constant text := (select m.name from portolan.me m);
  v_super constant boolean := portolan.is_super_user();
  v_key text;
begin
  if row_key is not null then
    if cardinality(portolan.key_columns(relation)) = 0 then
      raise exception '% has no primary key', relation using errcode = 'PX400';
    end if;
    v_key := portolan.seen_key(relation, row_key);
    if v_key is null and not v_super then
      raise exception 'there is no row "%" in % that you may see', row_key, relation using errcode = 'PX404';
    end if;
    v_key := coalesce(v_key, row_key);
  end if;
  return query
    select c.id, c.key, c.body, c.author, c.created_at, c.changed_at,
      coalesce(c.author = v_account, v_account is null and v_super),
      coalesce(c.author = v_account, false) or v_super
    from portolan.row_comments c
    where c.relation = list_comments.relation and (v_key is null or c.key = v_key)
      and (before is null or c.id < before)
    order by case when v_key is not null then c.id end, c.id desc
    limit most;
end
$$;
