-- Raises PX404 where the caller cannot see the comment of this number, or it is not of the given table.
create or replace function portolan.check_comment(id bigint, relation regclass) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform from portolan.row_comments c
  where c.id = check_comment.id and c.relation = coalesce(check_comment.relation, c.relation);
  if not found then
    raise exception 'there is no comment %', id using errcode = 'PX404';
  end if;
end
$$;
