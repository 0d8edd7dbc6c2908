-- Whether an old refresh token of a client stays good may be said where the client is made, and is shown.

-- Each comes back with what is new: a further parameter that has a default, and a further column.
drop function if exists portolan.create_client(text, text, text[], boolean, boolean, text[], text, text);
drop function if exists portolan.list_clients(text[]);

-- The tool that exists keeps its first refresh token for as long as it runs, and signs in by password where it is told to.
-- A row that somebody has changed is left as it is.
update portolan.clients
set
  refresh_reuse = 'allow',
  grants = grants || '{password}'
where id = 'gc2-cli'
  and refresh_reuse = 'refuse'
  and grants = '{authorization_code,refresh_token,device_code}';
