-- By which door a request came: `portolan.list_requests` finds by it. A WebSocket has no method.
alter table portolan.requests add door text generated always as (
  case
    when method is null then 'socket'
    when path like '/api/graphql/%' then 'graphql'
    when path like '/api/v4/ogc%' then 'ogc'
    when path like '/ows/%' then 'ows'
    when path like '/mcp%' then 'mcp'
    when path like '/api/v4/oauth%' then 'oauth'
    when path like '/api/v4/sql%' then 'sql'
    when path like '/api/v4/call%' then 'methods'
    when path like '/api/v4/%' then 'rest'
    else 'pages'
  end) stored;
create index requests_refusals on portolan.requests (account, number desc) where code is not null;
