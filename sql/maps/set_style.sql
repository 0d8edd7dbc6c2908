-- Sets how a table or view is drawn on maps; null: by the comment @style, or by default for its geometry. A relation
-- may have several styles, each with a name; a style without a name is called `default`. Raises PX400 that names the
-- path of the error, PX404.
create or replace function portolan.set_style(
  relation regclass, style jsonb, name text default 'default', title text default null) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: styles are the owner's
as $$
begin
  perform portolan.check_relation(relation);
  if style is null or style = 'null' then
    delete from portolan.styles s where s.relation = set_style.relation and s.name = set_style.name;
    if not found and name is distinct from 'default' then
      raise exception '% has no style "%"', relation, name using errcode = 'PX404';
    end if;
    return;
  end if;
  if exists (select from portolan.rasters r where r.relation = set_style.relation) then
    raise exception '% is a raster, which has no style', relation using errcode = 'PX400';
  end if;
  if name is null or name !~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$' then
    raise exception 'name: must be 1 to 60 of A-Z, a-z, 0-9, "_", "-" and ".", the first a letter or digit' using errcode = 'PX400';
  elsif length(title) not between 1 and 200 then
    raise exception 'title: must have 1 to 200 characters' using errcode = 'PX400';
  end if;
  perform portolan.check_style(relation, style);
  insert into portolan.styles as s (relation, name, style, title)
  values (relation, name, style, title)
  on conflict on constraint styles_pkey do update
    set style = excluded.style, title = coalesce(excluded.title, s.title);
  if 100 < (select count(*) from portolan.styles s where s.relation = set_style.relation) then
    raise exception '% has 100 styles, which is the most', relation using errcode = 'PX400';
  end if;
end
$$;
