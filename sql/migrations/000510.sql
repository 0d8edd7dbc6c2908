-- Rules may name the agents' door.
alter table portolan.rules
  drop constraint rules_service,
  add constraint rules_service check (service in ('*', 'graphql', 'rpc', 'sql', 'events', 'ogc', 'mcp'));
