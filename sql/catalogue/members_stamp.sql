-- Changes with everything other than writes of rows that changes the content of these relations, or who sees it: their
-- rows in the catalogue (TRUNCATE and grants change them too), columns, policies and triggers.
create or replace function portolan.members_stamp(members oid[]) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select md5(concat_ws(
      ' ',
      (select string_agg(concat_ws('.', c.oid, c.xmin), ',' order by c.oid) from pg_class c where c.oid = any (members)),
      (
        select string_agg(concat_ws('.', a.attnum, a.xmin), ',' order by a.attrelid, a.attnum)
        from pg_attribute a where a.attrelid = any (members) and a.attnum > 0
      ),
      (select string_agg(concat_ws('.', p.oid, p.xmin), ',' order by p.oid) from pg_policy p where p.polrelid = any (members)),
      (
        select string_agg(concat_ws('.', t.oid, t.xmin), ',' order by t.oid)
        from pg_trigger t where t.tgrelid = any (members)
      ))));
end
$$;
