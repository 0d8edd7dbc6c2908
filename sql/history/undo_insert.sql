-- Deletes the rows that one transaction inserted; `instant` is the time when it began. Only if there are exactly `rows`
-- of them, and nobody has changed one since. Security invoker: reading the history and deleting need the caller's own
-- rights, and history keeps the deleted rows. Raises PX400 for a table without history, PX409, and the errors of the
-- deletion.
create or replace function portolan.undo_insert(relation regclass, instant timestamptz, rows bigint) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_history regclass := portolan.history_of(relation);
  v_key text[] := portolan.key_columns(relation);
  v_found bigint;
begin
  execute format(
    $sql$
    delete from %1$s t using %2$s h
    where %3$s and h.portolan_from = $1 and h.portolan_to = 'infinity'
      and not exists (select from %2$s b where %4$s and b.portolan_to = h.portolan_from) -- not a version of an existing row
      and portolan.fresh_history(%5$L::regclass)
    $sql$,
    relation, v_history,
    (select string_agg(format('t.%1$I = h.%1$I', k), ' and ') from unnest(v_key) k),
    (select string_agg(format('b.%1$I = h.%1$I', k), ' and ') from unnest(v_key) k),
    relation) using instant;
  get diagnostics v_found = row_count;
  if v_found <> rows then
    raise exception 'of the % rows that were inserted into % then, only % are unchanged: nothing is deleted, and the history shows the changes',
      rows, relation, least(v_found, rows) using errcode = 'PX409';
  end if;
end
$$;
