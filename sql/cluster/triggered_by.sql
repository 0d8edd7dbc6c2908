-- The features of Portolan on a table that can work by triggers only: history or workflow; null for none.
create or replace function portolan.triggered_by(relation regclass) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select string_agg(t.what, ' and ')
  from (
    select 'history' from portolan.versioned_tables v where v.relation = triggered_by.relation and v.active
    union all
    select 'workflow' from portolan.workflow_tables w where w.relation = triggered_by.relation
  ) t (what)
$$;
