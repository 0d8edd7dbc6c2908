-- Refuses a method with a hint that names no type, in every write. It has no search_path of its own, because a hint is
-- looked up as the types in the statement are. Without a search_path, as while a dump is read, it checks nothing. Raises
-- PX400.
create or replace function portolan.tg_methods__check_hints() returns trigger
  language plpgsql volatile
as $$
declare
  v_hint record;
begin
  if pg_catalog.current_setting('search_path') operator(pg_catalog.=) '' then
    return new;
  end if;
  for v_hint in
    select h.key, h.value
    from pg_catalog.jsonb_each_text(case when pg_catalog.jsonb_typeof(new.type_hints) operator(pg_catalog.=) 'object'
      then new.type_hints end) h
    where portolan.hinted_type(h.value) is null
    order by h.key
  loop
    raise exception 'type_hints: %: "%" is not a type of values (method "%")', v_hint.key, v_hint.value, new.method
      using errcode = 'PX400';
  end loop;
  return new;
end
$$;
