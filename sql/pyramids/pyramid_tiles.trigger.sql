create or replace trigger _500_count_added
  after insert on portolan.pyramid_tiles referencing new table as new_rows
  for each statement execute function portolan.tg_pyramid_tiles__count('new');

create or replace trigger _500_count_changed
  after update on portolan.pyramid_tiles referencing old table as old_rows new table as new_rows
  for each statement execute function portolan.tg_pyramid_tiles__count('both');

create or replace trigger _500_count_removed
  after delete on portolan.pyramid_tiles referencing old table as old_rows
  for each statement execute function portolan.tg_pyramid_tiles__count('old');
