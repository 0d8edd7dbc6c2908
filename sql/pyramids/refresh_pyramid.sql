-- Records the areas that were written since a pyramid was looked at. Returns whether there were none: else the caller looks
-- at the areas again. Where it cannot be told what was written, all tiles are dropped. An area that is new lets the job
-- continue. A row of the outbox is read as a row of its table only where that runs no code of others: checks of domains would
-- run with the rights of Portolan's owner.
create or replace function portolan.refresh_pyramid(id bigint) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may read the outbox
  set enable_seqscan = off -- as in table_stamp
  set jit = off
as $$
#variable_conflict use_variable
declare
  v_now constant pg_snapshot := pg_current_snapshot();
  v_pyramid portolan.pyramids;
  v_members oid[];
  v_column name;
  v_postgis name;
  v_entry record;
  v_areas integer := 0;
  v_added integer;
  v_field integer;
  v_plain boolean;
  v_all boolean := false;
begin
  select p.* into v_pyramid from portolan.pyramids p where p.id = refresh_pyramid.id;
  if not found or v_pyramid.snapshot is null or pg_is_in_recovery() then
    return false;
  elsif v_pyramid.snapshot::text = v_now::text then
    return true;
  end if;
  select p.* into v_pyramid from portolan.pyramids p where p.id = refresh_pyramid.id for update;
  v_members := portolan.stamped_members(v_pyramid.relation);
  v_all := v_members is null or v_pyramid.shape is distinct from portolan.pyramid_shape(v_pyramid.relation)
    or pg_snapshot_xmin(v_pyramid.snapshot) < coalesce(
      (select pg_snapshot_xmin(b.snapshot) from portolan.batches b order by b.n limit 1), pg_snapshot_xmin(v_pyramid.snapshot));
  if not v_all then
    v_postgis := portolan.hold_schema((select e.extnamespace from pg_extension e where e.extname = 'postgis'));
    v_all := v_postgis is null;
  end if;
  if not v_all then
    v_column := coalesce(v_pyramid.geometry_column, (
      select a.attname from pg_attribute a
        join pg_type t on t.oid = a.atttypid
      where a.attrelid = v_pyramid.relation and a.attnum > 0 and not a.attisdropped and t.typname in ('geometry', 'geography')
      order by a.attnum limit 1));
    for v_entry in
      select o.relation, o.operation, o.old, o.new
      from portolan.outbox o
      where (o.xid >= pg_snapshot_xmax(v_pyramid.snapshot) or o.xid = any (array(select pg_snapshot_xip(v_pyramid.snapshot))))
        and pg_visible_in_snapshot(o.xid, v_now) and not pg_visible_in_snapshot(o.xid, v_pyramid.snapshot)
        and o.relation = any (v_members)
    loop
      if v_entry.operation not in ('i', 'u', 'd') then
        v_all := true;
        exit;
      end if;
      select count(*) filter (where a.attnum < g.attnum), bool_and(
          portolan.is_core_owner(c.relowner) and t.typtype in ('b', 'e') and coalesce(e.typtype in ('b', 'e'), true))
      into v_field, v_plain
      from pg_attribute g
        join pg_class c on c.oid = g.attrelid
        join pg_attribute a on a.attrelid = c.oid
        join pg_type t on t.oid = a.atttypid
        left join pg_type e on e.oid = t.typelem
      where g.attrelid = v_entry.relation and g.attname = v_column and a.attnum > 0 and not a.attisdropped;
      begin
        execute format(
          $q$insert into portolan.pyramid_areas (pyramid, minx, miny, maxx, maxy)
            select $1, %1$I.st_xmin(b.box), %1$I.st_ymin(b.box), %1$I.st_xmax(b.box), %1$I.st_ymax(b.box)
            from unnest($2 || $3) v (row_text)
              cross join lateral (select %2$s::%1$I.geometry) o (g)
              cross join lateral (select %1$I.box3d(%1$I.st_transform(
                case when %1$I.st_srid(o.g) = 0 then %1$I.st_setsrid(o.g, 4326) else o.g end, $4))) b (box)
            where not %1$I.st_isempty(o.g)$q$,
          v_postgis,
          case
            when v_plain then format('(v.row_text::%s).%I', v_entry.relation::regclass, v_column)
            else 'portolan.row_field(v.row_text, $5)'
          end)
        using v_pyramid.id, v_entry.old, v_entry.new, v_pyramid.srid, v_field;
        get diagnostics v_added = row_count;
        v_areas := v_areas + v_added;
      exception
        when query_canceled or serialization_failure or deadlock_detected then
          raise;
        when others then
          v_all := true; -- a geometry without a place in the system
      end;
      exit when v_all or v_areas > 10000;
    end loop;
    v_all := v_all or v_areas > 10000
      or (select count(*) > 20000 from (select from portolan.pyramid_areas a where a.pyramid = v_pyramid.id limit 20001) a);
  end if;
  if v_all then
    delete from portolan.pyramid_tiles t where t.pyramid = v_pyramid.id;
    delete from portolan.pyramid_areas a where a.pyramid = v_pyramid.id;
  end if;
  update portolan.pyramids p
  set snapshot = v_now, shape = portolan.pyramid_shape(p.relation),
    version = p.version + case when v_all or v_areas > 0 then 1 else 0 end
  where p.id = v_pyramid.id;
  if v_all or v_areas > 0 then
    update portolan.jobs j set state = 'queued', updated = clock_timestamp() where j.id = v_pyramid.job and j.state = 'done';
  end if;
  return not v_all and v_areas = 0;
end
$$;
