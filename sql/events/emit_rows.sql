-- Writes the records of a statement to the outbox, split so that no array grows beyond 1,000 rows or 1 MB (except for a
-- single larger row): an array over 1 GB would fail the writer's statement. The trigger functions of events call it
-- (event_trigger_body); the cursors read their transition tables. Operation m: the old rows as deleted, then the new ones as
-- inserted. Returns whether there was anything to write.
create or replace function portolan.emit_rows(relation oid, operation "char", olds refcursor, news refcursor)
  returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  -- independent of the writer's session, because another session must read the text. The cursors make the text when
  -- they fetch
  set datestyle = 'ISO, YMD'
  set intervalstyle = 'postgres'
  set timezone = 'UTC'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_shape bigint := portolan.shape_stamp(relation);
  v_old text;
  v_new text;
  v_olds text[];
  v_news text[];
  v_rows integer := 0;
  v_bytes bigint := 0;
  v_next integer;
  v_done boolean;
  v_any boolean := false;
begin
  if operation = 'm' then
    v_any := portolan.emit_rows(relation, 'd', olds, null);
    return portolan.emit_rows(relation, 'i', null, news) or v_any;
  end if;
  loop
    v_done := true;
    if olds is not null then
      fetch olds into v_old;
      v_done := not found;
    end if;
    if news is not null then
      fetch news into v_new;
      v_done := not found;
    end if;
    v_next := coalesce(octet_length(v_old), 0) + coalesce(octet_length(v_new), 0);
    if v_rows > 0 and (v_done or v_rows = 1000 or v_bytes + v_next > 1000000) then
      insert into portolan.outbox (relation, shape, operation, depth, old, new)
      values (emit_rows.relation, v_shape, emit_rows.operation, pg_trigger_depth(), v_olds, v_news);
      v_any := true;
      v_olds := null;
      v_news := null;
      v_rows := 0;
      v_bytes := 0;
    end if;
    exit when v_done;
    v_rows := v_rows + 1;
    v_bytes := v_bytes + v_next;
    if olds is not null then
      v_olds := v_olds || v_old;
    end if;
    if news is not null then
      v_news := v_news || v_new;
    end if;
  end loop;
  if v_any then
    perform portolan.note_shape(relation);
  end if;
  -- an open cursor would keep the transition tables until the transaction ends
  if olds is not null then
    close olds;
  end if;
  if news is not null then
    close news;
  end if;
  return v_any;
end
$$;
