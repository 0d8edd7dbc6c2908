/** The content of a file: its columns, their possible types in a table, and the first rows. */
import { GatewayError } from "../../ground/errors.ts";
import { cellText, ColumnType } from "./columnType.ts";
import { guessPoint } from "./plan.ts";
import { openSource, type FormatOptions } from "../../formats/readers.ts";
import { checkWidth, type Cell, type Portion, type Source } from "../../formats/source.ts";

const ROWS_SHOWN = 100;
/** Further rows are examined for the types of the columns, until one of these limits is reached. */
const ROWS_LOOKED_AT = 10_000;
const CHARACTERS_LOOKED_AT = 16_000_000;
const LOOK_MS = 5000;
/** A truncated file has whole rows before its end. */
const PORTION = 5;
const LONGEST_TEXT = 200;

export interface Preview {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The columns that hold longitude and latitude, found by their names and values. */
  readonly point: readonly [x: string, y: string] | null;
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A preview of a file or of its beginning. Throws `BAD_USER_INPUT` where even the first rows cannot be read. */
export async function previewOf(
  mediaType: string,
  bytes: AsyncIterable<Uint8Array>,
  options: FormatOptions,
): Promise<Preview> {
  const types = new Map<string, ColumnType>();
  const first: ReadonlyMap<string, Cell>[] = [];
  const source = openSource(mediaType, bytes, { ...options, wanted: [], portion: PORTION });
  for await (const { names, rows, types: told } of firstPortions(source)) {
    names.forEach((name, index) => {
      const type = types.get(name) ?? new ColumnType(told?.get(name));
      types.set(name, type);
      for (const row of rows) type.add(row[index]);
    });
    for (const row of rows.slice(0, ROWS_SHOWN - first.length))
      first.push(new Map(names.map((name, index) => [name, row[index]])));
  }
  return {
    columns: [...types].map(([name, type]) => ({ name, type: type.name })),
    point: pointAmong(types),
    rows: first.map((row) => [...types.keys()].map((name) => textOf(row.get(name)))),
  };
}

/** The columns of longitude and latitude; null where the file has geometries. */
function pointAmong(types: ReadonlyMap<string, ColumnType>): Preview["point"] {
  const point = guessPoint([...types.keys()]);
  const hasGeometries = [...types.values()].some(({ name }) => name.startsWith("geometry"));
  if (!point || hasGeometries) return null;
  return types.get(point[0])!.isWithin(180) && types.get(point[1])!.isWithin(90) ? point : null;
}

/** The rows before the first fault, up to the size of a preview. */
async function* firstPortions({ portions }: Source): AsyncGenerator<Portion> {
  const names = new Set<string>();
  const end = performance.now() + LOOK_MS;
  let [rows, characters] = [0, 0];
  try {
    for await (const portion of portions) {
      for (const name of portion.names) names.add(name);
      checkWidth({ length: names.size }, "the file");
      yield portion;
      rows += portion.rows.length;
      characters += JSON.stringify(portion.rows).length;
      if (rows >= ROWS_LOOKED_AT || characters >= CHARACTERS_LOOKED_AT || performance.now() > end) break;
    }
  } catch (error) {
    if (rows === 0 || !(error instanceof GatewayError && error.code === "BAD_USER_INPUT")) throw error;
  }
}

function textOf(cell: Cell): string | null {
  if (cell === null || cell === undefined) return null;
  const text = cellText(cell);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
