-- A number that changes with every change of a stored method. The gateway reads it in the statement that begins a request's
-- transaction, as the caller's role, so that no call runs an old definition.
create or replace view portolan.method_generation as
  select g.generation from portolan.generations g where g.subject = 'methods';
