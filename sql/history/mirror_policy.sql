-- Makes a policy of a table on its twin. A policy that uses the whole row needs a cast from the twin's row to the table's.
-- The cast is made only then, because with it the table cannot be dropped without CASCADE.
create or replace function portolan.mirror_policy(relation regclass, history regclass, name name, rest text) returns void
  language plpgsql volatile
  set search_path = '' -- names in policies come out qualified
as $$
#variable_conflict use_variable
begin
  begin
    execute pg_catalog.format('create policy %I on %s %s', name, history, rest);
    return;
  exception
    when undefined_function or datatype_mismatch or wrong_object_type or cannot_coerce then null; -- used once more below
  end;
  execute pg_catalog.format(
    'create or replace function portolan.row_of_%s(twin %s) returns %s language sql immutable as %L',
    relation::pg_catalog.oid::pg_catalog.text, history, relation,
    pg_catalog.format('select row(%s)::%s', (
      select pg_catalog.string_agg(case when a.attisdropped then 'null' else pg_catalog.format('twin.%I', a.attname) end,
        ', ' order by a.attnum)
      from pg_catalog.pg_attribute a
      where a.attrelid = relation and a.attnum > 0 and not a.attisdropped), relation));
  if not exists (
    select from pg_catalog.pg_cast c
    where c.castsource = (select k.reltype from pg_catalog.pg_class k where k.oid = history)
      and c.casttarget = (select k.reltype from pg_catalog.pg_class k where k.oid = relation))
  then
    execute pg_catalog.format('create cast (%s as %s) with function portolan.row_of_%s(%1$s) as implicit', history, relation,
      relation::pg_catalog.oid::pg_catalog.text);
  end if;
  execute pg_catalog.format('create policy %I on %s %s', name, history, rest);
end
$$;
