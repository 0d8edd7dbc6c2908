/** The collector of a column's values, by the column's type. */
import { columnKind, valueReader } from "../columnar/columnKind.ts";
import type { Column } from "../column.ts";
import { toJson } from "../../types/textJson.ts";
import { ConvertedData, DocumentData, HexData, PlainData, UuidData } from "./bytesData.ts";
import { BooleanData, type ColumnData } from "./columnData.ts";
import { DateData, DoubleData, FloatData, InstantData, IntegerData, LongData } from "./numberData.ts";

/** `isBinary`: cells are in PostgreSQL's binary form, not its text. */
export function dataFor(column: Column, isBinary: boolean): ColumnData {
  const readText = isBinary ? undefined : valueReader(column);
  switch (columnKind(column.type)) {
    case "boolean":
      return new BooleanData(isBinary);
    case "int32":
      return new IntegerData(readText);
    case "int64":
      return new LongData(readText);
    case "float":
      return new FloatData(readText);
    case "double":
      return new DoubleData(readText);
    case "date":
      return new DateData(readText);
    case "timestamp":
    case "instant":
      return new InstantData(readText);
    case "guid":
      return new UuidData();
    case "bytes":
      return isBinary ? new PlainData() : new HexData();
    case "json":
      return new DocumentData();
    case "text":
      return isPlain(column) ? new PlainData() : new ConvertedData(column.output.plain);
  }
}

/** Whether the file has PostgreSQL's text as it is. */
function isPlain({ output }: Column): boolean {
  return output.plain === toJson.asItIs;
}
