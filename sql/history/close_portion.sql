-- Ends the open versions in the next pages of the twin of a table whose history has ended. Returns the next position, null
-- when no version is open any more, and how many were ended.
create or replace function portolan.close_portion(relation regclass, "position" jsonb, out next jsonb, out rows bigint)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off -- a range of places is read, and never the whole twin
as $$
declare
  v_table portolan.versioned_tables;
  v_file text;
  v_pages bigint;
  v_from bigint := 0;
  v_blocks bigint := coalesce(("position" ->> 'blocks')::bigint, 32);
  v_began timestamptz := clock_timestamp();
begin
  select v.* into v_table from portolan.versioned_tables v where v.relation = close_portion.relation;
  v_file := pg_relation_filenode(v_table.history)::text;
  if "position" ->> 'file' = v_file then -- else it was rewritten, and has its rows elsewhere
    v_from := ("position" ->> 'block')::bigint;
    v_pages := ("position" ->> 'pages')::bigint;
  else
    v_pages := pg_relation_size(v_table.history) / current_setting('block_size')::integer; -- the pages behind have only ended versions
  end if;
  rows := portolan.close_history(v_table.history, v_table.closing,
    format('h.ctid >= %L and h.ctid < %L', format('(%s,0)', v_from), format('(%s,0)', v_from + v_blocks)));
  if v_from + v_blocks >= v_pages then
    update portolan.versioned_tables v set closing = null where v.relation = close_portion.relation;
  else
    next := jsonb_build_object('file', v_file, 'pages', v_pages,
      'block', v_from + v_blocks, 'blocks', portolan.next_blocks(v_blocks, v_began));
  end if;
end
$$;
