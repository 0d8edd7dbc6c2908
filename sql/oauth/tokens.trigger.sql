create or replace trigger _900_bump_generation
  after update of revoked_at on portolan.token_families
  for each row
  when (new.revoked_at is not null and old.revoked_at is null)
  execute function portolan.tg__bump_generation('tokens');

create or replace trigger _900_bump_generation_of_new
  after insert on portolan.token_families
  for each row
  when (new.revoked_at is not null)
  execute function portolan.tg__bump_generation('tokens');
