-- Changes the type of a twin's column, and its values with it, without any code of a role that is no core owner: by a
-- cast that no such role can have made, otherwise by the text of the values. Returns false, and leaves the column as it is,
-- where its values do not fit, or where reading their text would run such code.
create or replace function portolan.change_history_column(history regclass, name name, type oid, sql_type text, "collation" text)
  returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_before oid;
  v_is_plain boolean;
begin
  -- for a domain, its base type: nothing is computed where only the domain differs
  select b.oid into v_before
  from pg_attribute a cross join portolan.base_type(a.atttypid, a.atttypmod) b
  where a.attrelid = history and a.attname = change_history_column.name;
  v_is_plain := v_before = type or not exists (
      select from portolan.author_types(v_before)
      union all
      select from portolan.author_types(type)
      union all
      select
      from pg_cast c
        join pg_proc f on f.oid = c.castfunc
        join pg_type s on s.oid = v_before
        join pg_type t on t.oid = type
      where c.castsource in (s.oid, s.typelem) and c.casttarget in (t.oid, t.typelem) and not portolan.is_core_owner(f.proowner));
  if v_is_plain then
    execute format('alter table %s alter column %I type %s%s using %2$I::%3$s', history, name, sql_type, "collation");
    return true;
  elsif exists (select from portolan.author_types(type) t where t.kind <> 'e') then
    return false;
  end if;
  execute format('alter table %s rename column %I to portolan_before', history, name);
  execute format('alter table %s add column %I %s%s', history, name, sql_type, "collation");
  -- the functions that read a value of JSON call the type's own input function, and look for no cast
  execute format(
    'update %1$s h set %2$I = (select x.v from jsonb_to_record(jsonb_build_object(''v'', format(''%%s'', h.portolan_before))) x (v %3$s)) '
    'where h.portolan_before is not null', history, name, sql_type);
  execute format('alter table %s drop column portolan_before', history);
  return true;
exception
  when data_exception or cannot_coerce or datatype_mismatch or undefined_function or check_violation then
    return false;
end
$$;
