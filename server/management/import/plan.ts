/** The plan of an import: the column of the table for each column of the file. */
import { DECIMAL_TEXT } from "../../types/texts.ts";
import { badInput } from "../../ground/errors.ts";
import type { Cell, Portion, Source } from "../../formats/source.ts";
import { cellText, type Target, type TargetColumn } from "./target.ts";

export interface PlanOptions {
  /**
   * Column of the file → column of the table; others are left out. Default: by their names, and then the table must
   * have all of them.
   */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Columns of the file that are longitude and latitude of a point. */
  readonly point?: readonly [x: string, y: string] | undefined;
  /** EPSG code for geometries that state none. Default: the column's own; for points and GeoJSON 4326. */
  readonly srid?: number | undefined;
  /**
   * Whether nothing is kept. Columns that a sequence numbers then get numbers from its other end, so the sequence is
   * not advanced.
   */
  readonly dry: boolean;
}

export interface PlannedColumn {
  readonly target: Pick<TargetColumn, "name" | "value">;
  /** The column's text for a row. `place`: the row's number, for errors. Throws `BAD_USER_INPUT`. */
  text(row: readonly Cell[], place: number): string | null;
}

export interface Plan {
  readonly names: readonly string[];
  readonly columns: readonly PlannedColumn[];
  /** Whether a column gets values that only PostgreSQL gives otherwise. */
  readonly overrides: boolean;
}

const GEOMETRY_NAME = /^(geometry|geom|the_geom|wkt|wkb|shape)$/i;

const [LONGITUDE, LATITUDE] = [/^(geo_?)?(lon|lng|long|longitude)$/i, /^(geo_?)?(lat|latitude)$/i];

/** The columns that are longitude and latitude by their names. */
export function guessPoint(names: readonly string[]): readonly [x: string, y: string] | undefined {
  const [x, y] = [LONGITUDE, LATITUDE].map((like) => names.filter((name) => like.test(name)));
  return x!.length === 1 && y!.length === 1 ? [x![0]!, y![0]!] : undefined;
}

/** Throws `BAD_USER_INPUT` for columns that do not exist, or that two columns write. */
export function planOf({ names, places }: Portion, target: Target, source: Source, options: PlanOptions): Plan {
  const { columns: given, srid } = options;
  const find = (name: string): TargetColumn | undefined =>
    target.columns.find((column) => column.name === name) ??
    target.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const spatial = target.columns.filter((column) => column.spatial);
  const onlyGeometry = spatial.length === 1 ? spatial[0] : undefined;
  const point: readonly string[] = options.point ?? (given ? [] : pointOf(names, find, onlyGeometry !== undefined));
  const missing = [...Object.keys(given ?? {}), ...point].find((name) => !names.includes(name));
  if (missing !== undefined && source.unit !== "feature")
    badInput(`the file has no column ${JSON.stringify(missing)}: it has ${names.join(", ").slice(0, 1000)}`);
  const unknown: string[] = [];
  const columns = names.flatMap((name, index): PlannedColumn[] => {
    if (point.includes(name) && given?.[name] === undefined) return [];
    const wanted = given ? given[name] : name;
    if (wanted === undefined) return [];
    const own = find(wanted) ?? (!given && GEOMETRY_NAME.test(name) ? onlyGeometry : undefined);
    if (own) return [{ target: own, text: (row) => cellText(own, row[index], srid) }];
    if (given || !source.optional.has(name)) unknown.push(wanted);
    return [];
  });
  if (unknown.length > 0)
    badInput(
      `${source.unit} ${places[0]}: the table has no column ${unknown
        .map((name) => JSON.stringify(name))
        .join(", ")
        .slice(0, 1000)} that the account may write: use columns to map the columns of the file`,
    );
  const made = point.length === 2 ? [pointColumn(names, point, onlyGeometry, options)] : [];
  const all = [...columns, ...made];
  const twice = all.find(({ target: one }, index) => all.findIndex(({ target: other }) => other === one) < index);
  if (twice) badInput(`two columns of the file map to ${JSON.stringify(twice.target.name)}`);
  if (all.length === 0) badInput("no column of the file is in the table");
  const numbered = options.dry
    ? target.numbered.filter(({ name }) => !all.some(({ target: column }) => column.name === name))
    : [];
  return {
    names,
    columns: [
      ...all,
      ...numbered.map((column) => ({ target: column, text: (_row: unknown, place: number) => column.spare(place) })),
    ],
    overrides: numbered.some(({ always }) => always),
  };
}

/**
 * Longitude and latitude of the file, where the table has no columns for them, but one of geometries that the file does
 * not have.
 */
function pointOf(
  names: readonly string[],
  find: (name: string) => TargetColumn | undefined,
  hasGeometry: boolean,
): readonly string[] {
  const point = guessPoint(names) ?? [];
  const isOpen = !names.some((name) => GEOMETRY_NAME.test(name) || find(name)?.spatial);
  return hasGeometry && isOpen && !point.some(find) ? point : [];
}

function pointColumn(
  names: readonly string[],
  [x = "", y = ""]: readonly string[],
  target: TargetColumn | undefined,
  { srid = 4326 }: PlanOptions,
): PlannedColumn {
  if (!target) return badInput("point: the table must have exactly one column of geometries");
  const [east, north] = [names.indexOf(x), names.indexOf(y)];
  return {
    target,
    text(row) {
      const [longitude, latitude] = [row[east], row[north]];
      if (longitude === null || latitude === null) return null;
      const numbers = [longitude, latitude].map((cell) =>
        String(cell as string | number)
          .trim()
          .replace(/^(-?\d+),(\d+)$/, "$1.$2"),
      );
      if (!numbers.every((text) => DECIMAL_TEXT.test(text)))
        return badInput(`${x}, ${y}: expected numbers, got ${JSON.stringify([longitude, latitude]).slice(0, 200)}`);
      return cellText(target, `SRID=${srid};POINT(${numbers.join(" ")})`, undefined);
    },
  };
}
