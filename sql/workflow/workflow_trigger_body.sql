-- The body of the trigger function that writes the audit of a table's workflow. Each table has its own function,
-- because the text of the key differs. It runs as the owner. So it converts values to text by the output functions of
-- their types: for a cast, PostgreSQL looks for a cast that the owner of the type may have made. It does not name the
-- table's type either, because another type can take that name.
create or replace function portolan.workflow_trigger_body(relation regclass) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select format($body$
declare
  v_states constant text[] := '{drafted,reviewed,published}';
  v_key text;
begin
  if tg_op = 'DELETE' then
    v_key := %2$s;
  else
    v_key := %3$s;
  end if;
  insert into portolan.audit (event, account, address, details)
  values (
    'workflow.' || case tg_op when 'DELETE' then 'removed' else v_states[format('%%s', new.portolan_status)::integer] end,
    portolan.actor(),
    portolan.caller_address(),
    jsonb_build_object(
      'relation', %1$L,
      'key', v_key,
      'from', case tg_op when 'INSERT' then null else v_states[format('%%s', old.portolan_status)::integer] end,
      'to', case tg_op when 'DELETE' then null else v_states[format('%%s', new.portolan_status)::integer] end));
  return null;
end
$body$, relation, coalesce(k.old_text, 'null'), coalesce(k.new_text, 'null'))
  from (
    select
      string_agg(format(t.text, 'old', c.name, b.name), ' || '','' || ' order by c.place) as old_text,
      string_agg(format(t.text, 'new', c.name, b.name), ' || '','' || ' order by c.place) as new_text
    from unnest(portolan.key_columns(relation)) with ordinality c (name, place)
      join pg_attribute a on a.attrelid = relation and a.attname = c.name
      cross join portolan.base_type(a.atttypid, a.atttypmod) b
      -- back to PostgreSQL's own types; for some of them a cast gives another text: see key_text
      cross join lateral (
        select 'format(''%%s'', %s.%I)' || case when exists (select from portolan.author_types(b.oid)) then '' else '::%s::text' end
      ) o (text)
      cross join lateral (
        select case when cardinality(portolan.key_columns(relation)) = 1 then o.text
          else format('portolan.encode_key(%s)', o.text) end
      ) t (text)
  ) k
$$;
