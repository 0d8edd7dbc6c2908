-- The same as style_problem of a style that the caller brings along: a column that the caller may not select is as unknown as
-- one that is not there. Security invoker, so that it runs under the caller's limits.
create or replace function portolan.draft_style_problem(relation regclass, style text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.check_style(relation, style::jsonb);
  return null;
exception
  when sqlstate 'PX400' then
    return sqlerrm;
  when data_exception then
    return 'style: expected JSON';
  when program_limit_exceeded then
    return 'style: it is nested too deeply, or too long';
end
$$;
