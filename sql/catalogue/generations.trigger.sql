create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.users
  for each statement execute function portolan.tg__bump_generation('accounts');

create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.signing_keys
  for each statement execute function portolan.tg__bump_generation('keys');
