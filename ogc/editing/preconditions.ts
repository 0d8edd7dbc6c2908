/** The header If-Match (RFC 9110 §13.1.1) over versions of rows. */
import type { IncomingMessage } from "node:http";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { hasVersion } from "../../plugins/writes/rowVersion.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import type { Collection } from "../collections/collections.ts";
import { versionRights } from "../features/page/featureSql.ts";

/** The most tags in a request. */
const MOST_TAGS = 100;

/** The versions of a feature that a request accepts. */
export type Versions = readonly string[] | "any";

/**
 * The versions in If-Match; undefined without the header. A tag is compared by its first part, the version of the row,
 * so that a tag from another reference system, format or encoding matches. A weak tag never matches. Throws
 * `PRECONDITION_REQUIRED` where `isRequired`.
 */
export function readIfMatch({ headers }: IncomingMessage, isRequired: boolean): Versions | undefined {
  const text = headers["if-match"]?.trim();
  if (text === undefined) {
    if (isRequired) throw new GatewayError("PRECONDITION_REQUIRED");
    return undefined;
  }
  if (text === "*") return "any";
  const tags = [...text.matchAll(/(W\/)?"([^"]*)"/g)].slice(0, MOST_TAGS);
  const strong = tags.flatMap(([, weak, tag = ""]) => (weak === undefined ? [tag] : []));
  return strong.map((tag) => Buffer.from(tag.split(/[.;]/, 1)[0]!, "base64url").toString()).filter(isStorable);
}

function isStorable(version: string): boolean {
  return !version.includes("\0") && version.isWellFormed();
}

/** The condition that a row has one of the versions; undefined where any version will do. */
export function versionCondition(versions: Versions | undefined, collection: Collection, row: SQL): SQL | undefined {
  if (versions === undefined || versions === "any") return undefined;
  const rights = versionRights(collection);
  if (versions.length === 0) return sql.false;
  return sql`(${sql.join(
    versions.map((version) => hasVersion(rights, row, version)),
    " or ",
  )})`;
}

/** Throws `PRECONDITION_FAILED`; typed `never` so that it can stand in an expression. */
export function preconditionFailed(): never {
  throw new GatewayError("PRECONDITION_FAILED");
}
