-- The parts of schema portolan that differ from what the last migration left: missing, changed, or a trigger or function
-- that it did not make. is_code: the next migration makes the part again. Another major version of PostgreSQL, or another
-- own_parts, may write the same part differently, so until the next migration only missing parts are listed then. They are
-- not compared while their stamp is the one with which they were right.
create or replace function portolan.changed_own_parts()
  returns table (part text, what text, is_code boolean, remedy text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.noted_own_parts
as $$
#variable_conflict use_column
declare
  v_stamp jsonb := (select s.value from portolan.settings s where s.name = 'own_parts');
begin
  if v_stamp is not null and to_regprocedure('portolan.own_parts_stamp()') is not null then
    if v_stamp = to_jsonb(portolan.own_parts_stamp()) then
      return;
    end if;
  end if;
  return query
  with present as materialized (
    select * from portolan.own_parts()
  ), changed as (
    select coalesce(n.part, p.part) as part,
      case when p.part is null then 'missing' when n.part is null then 'added' else 'changed' end as what,
      n.statement
    from portolan.noted_own_parts n full join present p using (part)
    where p.part is null
      or n.part is null and p.part ~ '^(trigger|function) ' and exists (select from portolan.noted_own_parts)
      or n.state <> p.state and n.writer = p.writer
  )
  select c.part, c.what, k.is_code,
    case
      when c.what = 'added' then format('drop %s;', c.part)
      when k.is_code then 'npx portolan migrate'
      when c.what = 'missing' and c.part like 'column %' then c.statement || E';\nrestore what it held: docs/guides/backup.md'
      when c.statement is null or c.part like 'column %' then 'restore it from a backup: docs/guides/backup.md'
      when c.what = 'missing' then c.statement || ';'
      when c.part like 'constraint %'
        then format(E'alter table %s drop %s;\n%s;', substring(c.part from '.* on (.*)'), substring(c.part from '(.*) on '), c.statement)
      else format(E'drop %s;\n%s;', c.part, c.statement)
    end
  from changed c
    cross join lateral (select c.what <> 'added' and c.part ~ '^(function|view|trigger) ' as is_code) k
  order by c.part;
end
$$;
