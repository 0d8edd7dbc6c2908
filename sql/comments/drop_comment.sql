-- Removes a comment, which its author and super users may do. relation: the table of the comment. Raises PX403, PX404.
create or replace function portolan.drop_comment(id bigint, relation regclass default null) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
  perform portolan.check_comment(id, relation);
  if not portolan.remove_own('comment', id::text) then
    raise exception 'the comment % belongs to another account', id using errcode = 'PX403';
  end if;
end
$$;
