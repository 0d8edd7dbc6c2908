-- Holds a table (hold_table), and refuses where its twin has other columns: a value would be cast to another type, perhaps
-- by an author's code. For statements that copy rows between the two. Raises what hold_table raises, and 40001: trying again
-- helps.
create or replace function portolan.check_twin(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.hold_table(relation);
  if exists (
    select from pg_attribute a
      cross join portolan.base_type(a.atttypid, a.atttypmod) b
      left join pg_attribute h on h.attrelid = history and h.attname = a.attname and h.attnum > 0
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped and h.atttypid is distinct from b.oid)
  then
    raise exception 'the history of % is being adapted to its columns: try again', relation
      using errcode = 'serialization_failure';
  end if;
end
$$;
