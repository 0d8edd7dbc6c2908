-- The problem of the members of a method, by method_limits, which REST uses too; null where nothing is wrong. before: the
-- earlier state, null for a new method; members that have not changed are not checked again. The trigger _100_check calls
-- it.
create or replace function portolan.method_problem(method portolan.methods, before portolan.methods) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limits jsonb := portolan.method_limits();
  v_length integer := v_limits -> 'textLength';
  v_member text;
  v_problem text;
  v_entry record;
begin
  if method.method is distinct from before.method then
    if method.method !~ (v_limits ->> 'name') then
      return 'method: must be 1 to 100 of A-Z, a-z, 0-9 and _.-, and start with a letter or _';
    elsif method.method ~ (v_limits ->> 'reservedName') then
      return 'method: must not start with rpc.';
    end if;
  end if;
  if method.q is distinct from before.q then
    v_problem := portolan.statement_problem(method.q);
    if v_problem is not null then
      return 'q: ' || v_problem;
    end if;
  end if;
  for v_entry in
    select m.member, m.value
    from (values ('type_hints', method.type_hints, before.type_hints), ('type_formats', method.type_formats, before.type_formats))
      m (member, value, before)
    where m.value is distinct from m.before and jsonb_typeof(m.value) <> 'null'
  loop
    if jsonb_typeof(v_entry.value) <> 'object' then
      return v_entry.member || ': must be an object';
    end if;
    select format('%s: %s: %s', v_entry.member, e.key,
      case when v_entry.member = 'type_hints' then 'must be the name of a type' else format('must be a text of 1 to %s', v_length) end)
    into v_problem
    from jsonb_each(v_entry.value) e
    where jsonb_typeof(e.value) <> 'string' or length(e.value #>> '{}') not between 1 and v_length
      or v_entry.member = 'type_hints' and e.value #>> '{}' !~ (v_limits ->> 'typeName')
    limit 1;
    if v_problem is not null then
      return v_problem;
    end if;
  end loop;
  if not v_limits -> 'outputFormats' ? method.output_format then
    return format('output_format: there is no "%s"; use %s', method.output_format,
      (select string_agg(f, ', ') from jsonb_array_elements_text(v_limits -> 'outputFormats') f));
  elsif length(method.description) > (v_limits -> 'descriptionLength')::integer then
    return format('description: must have at most %s characters', v_limits -> 'descriptionLength');
  end if;
  for v_entry in
    select i.key, i.value -> 0 as least, i.value -> 1 as greatest
    from jsonb_each(v_limits -> 'integers') i
    where (to_jsonb(method) ->> i.key)::integer not between (i.value -> 0)::integer and (i.value -> 1)::integer
  loop
    return format('%s: must be %s to %s', v_entry.key, v_entry.least, v_entry.greatest);
  end loop;
  if method.srs is distinct from before.srs and not portolan.has_reference_system(method.srs) then
    return format('srs: there is no reference system %s', method.srs);
  end if;
  return null;
end
$$;
