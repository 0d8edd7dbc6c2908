-- The view portolan.me as one row, for use in policies: (portolan.request_context()).name. Security invoker, so that
-- current_user stays the caller. Null for a role that is no account. SQL that a caller wrote cannot forge it.
create or replace function portolan.request_context() returns portolan.me
  language sql stable parallel safe
as $$
  select m from portolan.me m
$$;
