create or replace trigger _900_bump_generation
  after insert or delete on portolan.factors
  for each row execute function portolan.tg__bump_generation('tokens');
