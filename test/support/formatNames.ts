/** The formats that the console offers, taken from the service's one list. */
import { join } from "node:path";
import { formatted } from "./formatted.ts";
import { FILE_FORMATS } from "../../ogc/exchange/formats.ts";
import { FORMAT_NAMES, OUTPUT_FORMATS, ROW_FORMAT_NAMES, type RowFormatName } from "../../server/formats/names.ts";

export const CONSOLE_FORMATS = join(import.meta.dirname, "../../console/src/service/rows/rowFormats.ts");

/** The most wanted formats first, then all others in the order of the list. */
const FIRST: readonly RowFormatName[] = ["csv", "excel"];

/** The present text of the file. */
export async function consoleFormats(): Promise<string> {
  const names = [...FIRST, ...ROW_FORMAT_NAMES.filter((name) => !FIRST.includes(name))];
  const rows = names.map((name) => {
    const { extension, title } = FORMAT_NAMES[name];
    const needsGeometry = "isOfFeatures" in FORMAT_NAMES[name] ? ", needsGeometry: true" : "";
    return `  { name: "${name}", label: "${title}", extension: "${extension}"${needsGeometry} },`;
  });
  const files = FILE_FORMATS.map(({ name, title }) => `  { name: "${name}", label: "${title}" },`);
  const text = `/** The formats in which the service gives rows: made by npm run docs of server/formats/names.ts. */

export interface RowFormat {
  /** The name in the interface. */
  readonly name: string;
  readonly label: string;
  readonly extension: string;
  readonly needsGeometry?: true;
}

export const ROW_FORMATS: readonly RowFormat[] = [
${rows.join("\n")}
];

/** The formats of files of collections: made of ogc/exchange/formats.ts. */
export const FILE_FORMATS: readonly Pick<RowFormat, "name" | "label">[] = [
${files.join("\n")}
];

/** The formats for results of methods. */
export const OUTPUT_FORMATS = ${JSON.stringify(OUTPUT_FORMATS)} as const;
`;
  return formatted(CONSOLE_FORMATS, text);
}
