create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.styles
  for each statement execute function portolan.tg__bump_generation('maps');

create or replace trigger _900_bump_generation
  after insert or update or delete or truncate on portolan.rasters
  for each statement execute function portolan.tg__bump_generation('maps');
