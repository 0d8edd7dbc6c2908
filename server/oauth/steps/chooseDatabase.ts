import type { Database } from "../../kernel/database/database.ts";
import { resourceOf } from "../../kernel/identity/resources.ts";
import { databaseClaim } from "../../kernel/identity/tokens.ts";
import { oauthError } from "../errors.ts";
import type { OAuthContext, Parameters, Step } from "../context.ts";
import { databaseOfCode } from "../secrets.ts";

/** `database` in the body or the query, or the database of the code, token or resource, or the only one that there is. */
export const chooseDatabase: Step = async (context) => {
  context.database = await chosen(context);
};

async function chosen(context: OAuthContext): Promise<Database> {
  const { directory, baseUrl } = context.kernel;
  const { parameters } = context;
  const inQuery = databaseOfQuery(context);
  const named = parameters["database"] ?? inQuery;
  if (inQuery !== undefined && named !== inQuery)
    throw oauthError("invalid_request", "The body and the query name two databases");
  const implied = named ?? impliedBy(parameters) ?? databaseOfResource(baseUrl, parameters);
  const database = implied === undefined ? undefined : await directory.find(implied);
  if (database) return database;
  if (named !== undefined) throw oauthError("invalid_request", "There is no such database");
  const only = await directory.find();
  if (only) return only;
  throw oauthError("invalid_request", "This service has several databases; say which with 'database'");
}

/** The database that the address of an endpoint names. */
export function databaseOfQuery({ request }: Pick<OAuthContext, "request">): string | undefined {
  return new URL(request.url ?? "", "http://localhost").searchParams.get("database") ?? undefined;
}

/** The database of the agents' door that the tokens are asked for. */
export function databaseOfResource(baseUrl: string, { resource }: Parameters): string | undefined {
  return resource === undefined ? undefined : resourceOf(baseUrl, resource)?.database;
}

function impliedBy({
  code,
  device_code,
  refresh_token,
  subject_token,
  assertion,
  token,
}: OAuthContext["parameters"]): string | undefined {
  const jwt = refresh_token ?? subject_token ?? assertion ?? token;
  if (jwt !== undefined) return databaseClaim(jwt);
  const handed = code ?? device_code;
  return handed === undefined ? undefined : databaseOfCode(handed);
}
