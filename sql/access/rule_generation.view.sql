-- A number that changes with whatever rules are compiled to. Read by the gateway in the statement that begins a request's
-- transaction, as the caller's role, so that a refusal holds from the moment that its rule is there.
create or replace view portolan.rule_generation as
  select g.generation from portolan.generations g where g.subject = 'rules';
