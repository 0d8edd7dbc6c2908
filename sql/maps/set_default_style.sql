-- Chooses the style for requests that name none. Raises PX404 for a style that does not exist; `default` always exists.
create or replace function portolan.set_default_style(relation regclass, name text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: styles are the owner's
as $$
begin
  perform portolan.check_relation(relation);
  if name is distinct from 'default' and not exists (
    select from portolan.styles s where s.relation = set_default_style.relation and s.name = set_default_style.name)
  then
    raise exception '% has no style "%"', relation, name using errcode = 'PX404';
  end if;
  -- one after the other, so that there is at most one at any moment
  update portolan.styles s set is_default = false
  where s.relation = set_default_style.relation and s.is_default and s.name <> set_default_style.name;
  update portolan.styles s set is_default = true
  where s.relation = set_default_style.relation and s.name = set_default_style.name and s.name <> 'default' and not s.is_default;
end
$$;
