/** Rows of any columns as FlatGeobuf, for callers that have no features of a collection. */
import { Bytes } from "../../kernel/database/database.ts";
import type { ColumnType } from "../../types/columnType.ts";
import type { Dimensions } from "../dimensions.ts";
import { columnType, isExpressible } from "./columnType.ts";
import { FeatureWriter } from "./feature.ts";
import { header, MAGIC } from "./header.ts";

export interface RowsFile {
  readonly name: string;
  /** EPSG code of the geometries; 0 where it is unknown. */
  readonly srs: number;
  /** The type of every geometry. */
  readonly dimensions: Dimensions;
}

export interface RowsWriter {
  /** The bytes before the first feature; they leave out the number of features. */
  readonly head: Buffer;
  /** `values`: PostgreSQL's texts, one for each column; `geometry`: that of well-known binary. */
  feature(values: readonly (string | null)[], geometry: string | null): Buffer;
}

/** The prefix of PostgreSQL's text of bytes. */
const HEX = "\\x";

export function flatgeobufOf(
  { name, srs, dimensions }: RowsFile,
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
): RowsWriter {
  const types = columns.map(({ type }) => columnType(type));
  const writer = new FeatureWriter(dimensions);
  const of = { id: name, title: name, description: undefined, key: [], geometry: { geometryType: undefined } };
  return {
    head: Buffer.concat([
      MAGIC,
      header({ collection: of, columns, crs: { srid: srs }, dimensions, count: 0, envelope: undefined }),
    ]),
    feature(values, geometry) {
      const out = new Bytes();
      writer.begin(out);
      for (const [index, text] of values.entries()) {
        const type = types[index]!;
        if (text !== null && isExpressible(type, text)) writer.property(index, type, text);
      }
      writer.end(geometry?.slice(HEX.length));
      const feature = Buffer.from(out.written);
      out.release();
      return feature;
    },
  };
}
