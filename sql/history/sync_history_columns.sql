-- Gives the twin of a table the columns of the table: new ones, new names, new types; of a domain its base type, because its
-- check must not run here. No recorded value is lost: a dropped column stays under another name, and so does a column whose
-- old values do not fit a new type, or could be converted by an author's code only (change_history_column). Open versions
-- get the table's present values, so that a read of now gives the table. Raises what hold_table raises.
create or replace function portolan.sync_history_columns(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set row_security = off -- an error rather than a policy that runs as the owner
  set constraint_exclusion = off
as $$
#variable_conflict use_variable
declare
  v_column record;
  v_policy name;
  v_filled text[] := '{}';
  v_key text[] := portolan.key_columns(relation);
begin
  if not exists (
    select from (
        select a.attnum, a.attname::text as name, b.name as type, b.oid as twin_type
        from pg_attribute a cross join portolan.base_type(a.atttypid, a.atttypmod) b
        where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      ) a
      full join (
        select v.attnum, v.name, v.type, v.relation, h.atttypid as twin_type
        from portolan.versioned_columns v
          left join pg_attribute h on h.attrelid = history and h.attname = v.name and h.attnum > 0
        where v.relation = sync_history_columns.relation
      ) v using (attnum, name, type, twin_type)
    where a.attnum is null or v.relation is null)
  then
    return;
  end if;
  perform portolan.hold_table(relation, reads => false);
  for v_policy in select p.polname from pg_policy p where p.polrelid = history loop
    execute format('drop policy %I on %s', v_policy, history); -- they are mirrored again
  end loop;
  update portolan.versioned_tables v set mirrored = '' where v.relation = sync_history_columns.relation;
  perform portolan.drop_as_of(history);

  for v_column in
    select v.attnum, v.name
    from portolan.versioned_columns v
    where v.relation = sync_history_columns.relation
      and not exists (select from pg_attribute a where a.attrelid = relation and a.attnum = v.attnum and not a.attisdropped)
  loop
    execute format('alter table %s rename column %I to %I', history, v_column.name,
      left(v_column.name, 40) || '__gone_' || v_column.attnum);
    delete from portolan.versioned_columns v
    where v.relation = sync_history_columns.relation and v.attnum = v_column.attnum;
  end loop;
  -- first to unused names, because two columns may have exchanged theirs
  for v_column in
    select v.attnum, v.name, a.attname
    from portolan.versioned_columns v join pg_attribute a on a.attrelid = relation and a.attnum = v.attnum
    where v.relation = sync_history_columns.relation and a.attname <> v.name
  loop
    execute format('alter table %s rename column %I to %I', history, v_column.name, 'portolan_' || v_column.attnum);
  end loop;
  for v_column in
    select v.attnum, a.attname
    from portolan.versioned_columns v join pg_attribute a on a.attrelid = relation and a.attnum = v.attnum
    where v.relation = sync_history_columns.relation and a.attname <> v.name
  loop
    execute format('alter table %s rename column %I to %I', history, 'portolan_' || v_column.attnum, v_column.attname);
    update portolan.versioned_columns v
    set name = v_column.attname
    where v.relation = sync_history_columns.relation and v.attnum = v_column.attnum;
  end loop;

  for v_column in
    select a.attnum, a.attname, b.oid, b.name as type, format_type(b.oid, null) as bare_type, v.type as before,
      a.atthasdef or a.attidentity <> '' or a.attgenerated <> '' as has_values,
      (select ' collate ' || l.oid::regcollation from pg_collation l
       where l.oid = a.attcollation and l.collname <> 'default') as collation
    from pg_attribute a
      cross join portolan.base_type(a.atttypid, a.atttypmod) b
      left join portolan.versioned_columns v
        on v.relation = sync_history_columns.relation and v.attnum = a.attnum
      left join pg_attribute h on h.attrelid = history and h.attname = a.attname and h.attnum > 0
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
      and (v.type is distinct from b.name or h.atttypid is distinct from b.oid)
    order by a.attnum
  loop
    perform portolan.hold_type(v_column.oid, v_column.bare_type);
    if v_column.before is not null then
      if not portolan.change_history_column(history, v_column.attname, v_column.oid, v_column.type, v_column.collation) then
        execute format('alter table %s rename column %I to %I', history, v_column.attname,
          left(v_column.attname, 40) || '__was_' || to_char(clock_timestamp(), 'YYYYMMDDHH24MISS'));
        v_column.before := null;
      end if;
      v_filled := v_filled || v_column.attname::text;
    elsif v_column.has_values then
      v_filled := v_filled || v_column.attname::text;
    end if;
    if v_column.before is null then
      execute format('alter table %s add column %I %s%s', history, v_column.attname, v_column.type, v_column.collation);
    end if;
    insert into portolan.versioned_columns as v (relation, attnum, name, type)
    values (relation, v_column.attnum, v_column.attname, v_column.type)
    on conflict on constraint versioned_columns_pkey do update set type = excluded.type;
  end loop;

  v_filled := array(select f from unnest(v_filled) f where f <> all (v_key));
  if cardinality(v_filled) > 0 and exists (select from pg_index i where i.indrelid = history) then
    perform portolan.check_twin(relation, history);
    execute format(
      'update %s h set %s from %s b where h.portolan_to = ''infinity'' and %s',
      history,
      (select string_agg(format('%1$I = b.%1$I', f), ', ') from unnest(v_filled) f),
      relation,
      (select string_agg(format('h.%1$I = b.%1$I', k), ' and ') from unnest(v_key) k));
    if 'portolan_status' = any (v_filled) and exists (
      select from pg_attribute a
      where a.attrelid = history and a.attname = 'portolan_status' and a.atttypid = 'smallint'::regtype)
    then
      execute format('update %s h set portolan_status = 3 where portolan_status is null', history);
    end if;
  end if;
end
$$;
