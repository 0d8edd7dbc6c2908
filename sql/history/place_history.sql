-- The twin with the history of a table. Made where it is missing, and moved where the table was renamed or moved, so that
-- the table's policies have the same meaning on it. A relation that is in the way is renamed, never dropped.
create or replace function portolan.place_history(relation regclass, history regclass, schema text, name text)
  returns regclass
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_history regclass := (select c.oid from pg_class c where c.oid = history);
  v_other regclass;
begin
  if exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = v_history and n.nspname = place_history.schema and c.relname = place_history.name)
  then
    return v_history;
  end if;
  select c.oid into v_other
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = place_history.schema and c.relname = place_history.name;
  if v_other is not null then
    execute format('alter table %s rename to %I', v_other,
      left(name, 40) || to_char(clock_timestamp(), '"_until_"YYYYMMDDHH24MISSUS'));
  end if;
  if v_history is not null then
    perform portolan.drop_as_of(v_history);
    execute format('alter table %s rename to %I', v_history, 'portolan_' || v_history::oid);
    if (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = v_history) <> schema then
      execute format('alter table %s set schema %I', v_history, schema);
    end if;
    execute format('alter table %s rename to %I', v_history, name);
    return v_history;
  end if;
  execute format(
    'create table %I.%I (portolan_from timestamptz not null, portolan_to timestamptz not null default ''infinity'', '
    'portolan_tx xid8 not null, portolan_by text, portolan_ended_by text, portolan_version integer) with (fillfactor = 90)', schema, name);
  v_history := format('%I.%I', schema, name)::regclass;
  execute format('comment on table %s is %L', v_history,
    format('@omit%sThe history of %s: each row is a version, valid from portolan_from until portolan_to.', E'\n', relation));
  delete from portolan.versioned_columns v where v.relation = place_history.relation;
  return v_history;
end
$$;
