create or replace trigger _000_one_at_a_time
  before insert or update or delete or truncate on portolan.rules
  for each statement execute function portolan.tg_rules__one_at_a_time();

create or replace trigger _100_check_rule
  before insert or update on portolan.rules
  for each row execute function portolan.tg_rules__check();

create or replace trigger _500_compile_inserted
  after insert on portolan.rules referencing new table as new_rows
  for each statement execute function portolan.tg_rules__compile();

create or replace trigger _500_compile_updated
  after update on portolan.rules referencing new table as new_rows
  for each statement execute function portolan.tg_rules__compile();

create or replace trigger _500_compile_removed
  after delete or truncate on portolan.rules
  for each statement execute function portolan.tg_rules__compile();

create or replace trigger _800_audit_change
  after insert or update or delete on portolan.rules
  for each row execute function portolan.tg__audit_change('rule');

create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.rule_map
  for each statement execute function portolan.tg__bump_generation('rules');
