-- A number that changes with every change of the compiled rules. The gateway reads it in the statement that begins a
-- request's transaction, as the caller's role, so that a refusal holds as soon as its rule is there.
create or replace view portolan.rule_generation as
  select g.generation from portolan.generations g where g.subject = 'rules';
