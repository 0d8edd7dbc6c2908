-- The triggers of history are made again, and twins have what domains are made of instead of domains: by follow_history, when the
-- catalogue is next looked at.
update portolan.versioned_tables set seen = '' where active;
