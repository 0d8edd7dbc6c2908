-- A number that changes with every change of a stored method. Read by the gateway in the statement that begins a
-- request's transaction, as the caller's role, so that no call runs a definition that is no longer there.
create or replace view portolan.method_generation as
  select g.generation from portolan.generations g where g.subject = 'methods';
