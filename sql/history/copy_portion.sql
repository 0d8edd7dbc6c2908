-- Opens a version for each row in the next pages of a table or partition that has none. A concurrent write to such a row
-- conflicts with this copy in the number of the version, which is unique: the second leaves the row to the first. In a fresh
-- history, the xmin of a row tells whether the triggers have made its version already; looking for the version would take as
-- long again. Returns the next position, and how many rows were copied.
create or replace function portolan.copy_portion(
  relation regclass, member regclass, history regclass, "position" jsonb, out next jsonb, out rows bigint)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set row_security = off -- an error rather than a policy that runs as the owner
  set constraint_exclusion = off
as $$
#variable_conflict use_variable
declare
  v_file text := pg_relation_filenode(member)::text;
  v_pages bigint := pg_relation_size(member) / current_setting('block_size')::integer;
  -- in a rewritten table (VACUUM FULL, CLUSTER) the rows are elsewhere
  v_from bigint := case when "position" ->> 'file' = v_file then ("position" ->> 'block')::bigint else 0 end;
  v_blocks bigint := ("position" ->> 'blocks')::bigint;
  v_to bigint := least(v_from + v_blocks, v_pages);
  -- The numbers of transactions are comparable only within one database, and for rows that were in the table when the
  -- triggers came. A partition that came with its rows, and a rewritten table, have others.
  v_fresh boolean := coalesce(
    "position" ->> 'fresh' = portolan.database_identity() and "position" -> 'files' ->> member::oid::text = v_file, false);
  v_insert text;
  v_began timestamptz := clock_timestamp();
begin
  perform portolan.check_twin(relation, history);
  select format(
    'insert into %s (%s, portolan_from, portolan_to, portolan_tx, portolan_by, portolan_version) '
    'select %s, %%s, ''infinity'', %L::xid8, %L, %%s from only %s b %%s where b.ctid >= %L and b.ctid < %L and %%s',
    history, string_agg(quote_ident(a.attname), ', ' order by a.attnum),
    string_agg(format('b.%I', a.attname), ', ' order by a.attnum),
    pg_current_xact_id(), session_user, member, format('(%s,0)', v_from), format('(%s,0)', v_to))
  into v_insert
  from pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  if v_fresh then
    v_insert := format(v_insert, 'now()', '1', '', format('age(b.xmin) > age(%L::xid)', "position" ->> 'xid'));
  else
    v_insert := format(v_insert,
      'greatest(now(), m.portolan_to)', 'coalesce(m.portolan_version, 0) + 1',
      format('left join lateral (select h.portolan_to, h.portolan_version from %s h where %s '
        'order by h.portolan_version desc limit 1) m on true', history, (
          select string_agg(format('h.%1$I = b.%1$I', k), ' and ') from unnest(portolan.key_columns(relation)) k)),
      'm.portolan_to is distinct from ''infinity''');
  end if;
  begin
    execute v_insert;
    get diagnostics rows = row_count;
  exception
    when unique_violation then -- a writer has just made its version
      execute v_insert || ' on conflict do nothing';
      get diagnostics rows = row_count;
  end;
  next := "position" || jsonb_build_object(
    'file', v_file,
    'block', v_to,
    'blocks', portolan.next_blocks(v_blocks, v_began));
  if v_to >= v_pages then
    next := next - 'file' || jsonb_build_object('filled', next -> 'filled' || to_jsonb(member::oid::text));
  end if;
end
$$;
