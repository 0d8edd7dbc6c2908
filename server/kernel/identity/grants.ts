/**
 * The grants that a client may list, those that it has by default first: what REST, the command line and the metadata
 * name. The token endpoint has a file for each; `npm run docs` writes them into sql/oauth/tg_clients__check.sql.
 */
export const GRANTS = [
  "authorization_code",
  "refresh_token",
  "device_code",
  "password",
  "client_credentials",
  "token_exchange",
  "jwt_bearer",
] as const;

export type GrantName = (typeof GRANTS)[number];
