-- The problem of the text of a style, by its path, e.g. style[0].styles[1].width; null when set_style would take it. The
-- gateway asks when it reads its collections: nobody has checked a comment @style, and a column may be dropped since a style
-- was set.
create or replace function portolan.style_problem(relation regclass, style text) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: the style is for everybody, whichever columns the gateway may select
as $$
  select portolan.draft_style_problem(relation, style)
$$;
