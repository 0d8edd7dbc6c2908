-- Keeps how many tiles a pyramid has, and their bytes. The triggers _500_count_added, _500_count_changed and
-- _500_count_removed call it; its argument says which rows there are: new, old or both.
create or replace function portolan.tg_pyramid_tiles__count() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may write portolan.pyramids
as $$
begin
  if tg_argv[0] in ('old', 'both') then
    update portolan.pyramids p set tiles = p.tiles - t.tiles, bytes = p.bytes - t.bytes
    from (select o.pyramid, count(*), sum(octet_length(o.content)) from old_rows o group by o.pyramid) t (pyramid, tiles, bytes)
    where p.id = t.pyramid;
  end if;
  if tg_argv[0] in ('new', 'both') then
    update portolan.pyramids p set tiles = p.tiles + t.tiles, bytes = p.bytes + t.bytes
    from (select n.pyramid, count(*), sum(octet_length(n.content)) from new_rows n group by n.pyramid) t (pyramid, tiles, bytes)
    where p.id = t.pyramid;
  end if;
  return null;
end
$$;
