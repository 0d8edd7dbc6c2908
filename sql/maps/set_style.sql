-- Sets how a table or view is drawn on maps; null: by the comment @style, or by default for its geometry. Raises PX400 that
-- names the path of the fault, PX404.
create or replace function portolan.set_style(relation regclass, style jsonb) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: styles are the owner's
as $$
begin
  perform portolan.check_relation(relation);
  if style is null or style = 'null' then
    delete from portolan.styles s where s.relation = set_style.relation;
    return;
  end if;
  if exists (select from portolan.rasters r where r.relation = set_style.relation) then
    raise exception '% is a raster, which has no style', relation using errcode = 'PX400';
  end if;
  perform portolan.check_style(relation, style);
  insert into portolan.styles as s (relation, style)
  values (relation, style)
  on conflict on constraint styles_pkey do update set style = excluded.style;
end
$$;
