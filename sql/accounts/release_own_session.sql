-- Forgets who was behind a connection that is closed, since PostgreSQL gives its number to another one later.
create or replace function portolan.release_own_session(pid integer, login text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write it
as $$
  delete from portolan.own_sessions o
  where (o.pid, o.login) = (release_own_session.pid, release_own_session.login)
$$;
