-- Their work is that of drop_own_triggers and check_recorded.
drop function if exists portolan.drop_event_triggers(oid);
drop function if exists portolan.drop_history_triggers(oid);
drop function if exists portolan.check_events(regclass);
