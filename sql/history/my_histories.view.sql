-- The tables with history on which the caller has any right, or all for a super user: the twin, and since when it is kept.
-- This is a view, not a security definer function: in a view current_user is the caller, also inside somebody's function.
create or replace view portolan.my_histories with (security_barrier) as
  select v.relation, v.history, v.since
  from portolan.versioned_tables v
  where v.active and not v.filling
    and (has_any_column_privilege(v.relation, 'select, insert, update')
      or has_table_privilege(v.relation, 'delete')
      or (select m.superuser from portolan.me m));
