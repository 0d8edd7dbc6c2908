-- The reason why an expression must not be parsed with the owner's rights, or null: it names a column or a type whose values
-- may run an author's code when they are read (code_in_value). A quoted text that has such a name counts too. The type of a
-- table counts where it stands as a type.
create or replace function portolan.code_in_filter(relation regclass, filter text) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_words text[] := array(select portolan.words_of(filter));
  v_tables text[];
begin
  select array_agg(t.name) into v_tables
  from (
      select x.name, lead(x.kind) over w as next, lag(x.name) over w as before, lag(x.name, 3) over w as third, lag(x.name, 5) over w as fifth
      from portolan.filter_tokens(filter) x
      window w as (order by x.number)
    ) t
  where t.next = 's'
    or case when t.before <> '.' then t.before when t.third <> '.' then t.third else t.fifth end in ('::', 'as', 'returning');
  return (
    select format('names %I, whose type %s may run the code of its owner', n.name, n.type)
    from (
        select a.attname, a.atttypid::regtype
        from pg_attribute a
        where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
        union all
        select t.typname, t.oid::regtype
        from pg_type t
          left join pg_class c on c.oid = t.typrelid
        where t.oid >= 16384 and (coalesce(c.relkind, 'c') = 'c' or t.typname = any (v_tables))
      ) n (name, type)
    where n.name = any (v_words)
      and portolan.code_in_value(n.type)
    order by 1
    limit 1);
end
$$;
