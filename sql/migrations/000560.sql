-- Pictures and features are interfaces that a rule may name, beside ogc, which is both.
alter table portolan.rules
  drop constraint rules_service,
  add constraint rules_service
    check (service in ('*', 'graphql', 'rpc', 'sql', 'events', 'ogc', 'ows', 'wfst', 'mcp'));
