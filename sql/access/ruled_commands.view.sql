-- Which commands on which tables have rules at all, without their content.
create or replace view portolan.ruled_commands with (security_barrier) as
  select distinct r.relation, r.command from portolan.rule_map r;
