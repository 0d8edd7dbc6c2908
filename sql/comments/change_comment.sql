-- Changes the text of a comment, which only its author may do. relation: the table of the comment. Raises PX400, PX403,
-- PX404.
create or replace function portolan.change_comment(id bigint, body text, relation regclass default null) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
  perform portolan.check_comment(id, relation);
  update portolan.row_comments c set body = body where c.id = id;
  if not found then
    raise exception 'the comment % belongs to another account', id using errcode = 'PX403';
  end if;
end
$$;
