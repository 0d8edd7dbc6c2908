/** Styles from other programs, for other doors than the OGC API's: of a relation by its name. */
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
  /** Default: what it looks like. */
  readonly format?: StyleFormat | undefined;
}

/** Reads a document for the collection of a relation. Throws `NOT_FOUND` for one that is no collection, and `BAD_USER_INPUT`. */
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
