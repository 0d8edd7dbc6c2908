-- PostgreSQL replaces no constraint trigger, and only such a trigger runs at the end of the transaction
drop trigger if exists _500_follow on portolan.ddl_on_shards;

create constraint trigger _500_follow
  after insert on portolan.ddl_on_shards
  deferrable initially deferred
  for each row execute function portolan.tg_ddl_on_shards__follow();
