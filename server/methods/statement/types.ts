/** Types of a database by their number. */
import type { Database } from "../../kernel/database/database.ts";
import { readType, TEXT, type CatalogueType } from "../../types/catalogue.ts";
import type { ColumnType } from "../../types/columnType.ts";

/** Reads types when they are asked for and keeps them until `clear`. */
export class TypeCatalogue {
  readonly #database: Database;
  #types = new Map<number, ColumnType>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Drops the known types: DDL may have changed them. */
  clear(): void {
    this.#types = new Map();
  }

  /** The types of these numbers. One that is gone counts as text. */
  async read(oids: readonly number[]): Promise<(oid: number) => ColumnType> {
    const types = this.#types;
    const unknown = oids.filter((oid) => !types.has(oid));
    if (unknown.length > 0) {
      const rows = await this.#database.db.any<CatalogueType>(
        "select oid, schema, name, kind, element, labels, attributes, delimiter from portolan.type_catalogue($1::oid[])",
        [unknown],
      );
      const byOid = new Map(rows.map((row) => [row.oid, row]));
      for (const oid of unknown)
        if (byOid.has(oid))
          types.set(
            oid,
            readType(oid, (each) => byOid.get(each)),
          );
    }
    return (oid) => types.get(oid) ?? TEXT;
  }
}
