-- A text of Portolan's protection of a table as it is in the catalogue: when it differs from the text that was recorded when
-- the protection was made, somebody changed it.
create or replace function portolan.made_protection(relation oid) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select md5(concat_ws(
      E'\n',
      c.relrowsecurity,
      (
        select string_agg(concat_ws('.', p.oid, p.xmin, p.ctid), ' ' order by p.oid)
        from pg_policy p
        where p.polrelid = c.oid and portolan.is_own_policy(p.polname)),
      -- a policy of the team replaces ours that lets everything pass
      (
        select 'and others'
        where exists (select from pg_policy p where p.polrelid = c.oid and not portolan.is_own_policy(p.polname))),
      (
        select string_agg(t.tgname, ' ' order by t.tgname)
        from pg_trigger t join pg_proc f on f.oid = t.tgfoid
        where t.tgrelid = c.oid and f.oid = 'portolan.tg__refuse_denied()'::regprocedure)))
    from pg_class c
    where c.oid = relation);
end
$$;
