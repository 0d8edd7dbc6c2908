-- Deletes the entry of a connection that is closed, because PostgreSQL gives its number to another connection later.
create or replace function portolan.release_own_session(pid integer, login text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write it
as $$
  delete from portolan.own_sessions o
  where (o.pid, o.login) = (release_own_session.pid, release_own_session.login)
$$;
