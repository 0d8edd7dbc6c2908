create or replace trigger _900_bump_generation
  after insert on portolan.jobs
  for each row execute function portolan.tg__bump_generation('jobs');

create or replace trigger _910_bump_generation
  after update on portolan.jobs
  for each row when (old.state <> new.state) execute function portolan.tg__bump_generation('jobs');
