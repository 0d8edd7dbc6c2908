/** Styles from other programs for interfaces other than the OGC API, by the name of a relation. */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { Config } from "../../../server/kernel/config.ts";
import type { Database } from "../../../server/kernel/database/database.ts";
import type { Log } from "../../../server/ground/log.ts";
import { offered } from "../../maps/styleCheck.ts";
import { guessFormat, readStyleDocument, type ReadStyle, type StyleFormat } from "./document.ts";

export interface StyleOfRelation {
  readonly schema: string;
  readonly table: string;
  readonly text: string;
  /** Default: the format that the text seems to have. */
  readonly format?: StyleFormat | undefined;
}

/**
 * Reads a document for the collection of a relation. Throws `NOT_FOUND` for a relation that is not a collection, and
 * `BAD_USER_INPUT`.
 */
export async function readStyleFor(
  database: Database,
  config: Pick<Config, "schemas" | "rasterDirectory" | "ogc">,
  { schema, table, text, format, log }: StyleOfRelation & { readonly log: Log },
): Promise<ReadStyle> {
  const collections = await (await offered(database, config, log)).of(database);
  const collection = [...collections.values()].find((each) => each.schema === schema && each.relation === table && !each.routine); // oxfmt-ignore
  if (!collection) throw new GatewayError("NOT_FOUND", `${schema}.${table} is no collection`);
  return readStyleDocument(text, format ?? guessFormat(text), collection);
}
