import type { Database } from "../../kernel/database/database.ts";
import { databaseClaim } from "../../kernel/identity/tokens.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Step } from "../context.ts";
import { databaseOfCode } from "../secrets.ts";

/** `database`, or the one that the code or token is of, or the only one that there is. */
export const chooseDatabase: Step = (context) => {
  context.database = chosen(context);
};

function chosen({ kernel: { databases }, parameters }: OAuthContext): Database {
  const named = parameters["database"];
  const database = databases.get(named ?? impliedBy(parameters) ?? "");
  if (database) return database;
  if (named !== undefined) throw oauthError("invalid_request", "There is no such database");
  const [only] = databases.values();
  if (only && databases.size === 1) return only;
  throw oauthError("invalid_request", "This service has several databases; say which with 'database'");
}

function impliedBy({ code, device_code, refresh_token, token }: OAuthContext["parameters"]): string | undefined {
  const jwt = refresh_token ?? token;
  if (jwt !== undefined) return databaseClaim(jwt);
  const handed = code ?? device_code;
  return handed === undefined ? undefined : databaseOfCode(handed);
}
