/** The formats that the console offers, taken from the service's one list. */
import { join } from "node:path";
import { formatted } from "./formatted.ts";
import { FILE_FORMATS } from "../../ogc/exchange/formats.ts";
import { READ_FORMATS } from "../../server/formats/readNames.ts";
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
  const read = READ_FORMATS.flatMap(([, { endings, mediaType, title: _title, ...more }]) =>
    endings.map((ending) => `  { ending: "${ending}", mediaType: "${mediaType}"${membersOf(more)} },`),
  );
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

/** A format of files that are imported, by the ending of a file's name. */
export interface FileFormat {
  readonly ending: string;
  readonly mediaType: string;
  /** Whether a preview needs the whole file. */
  readonly isWhole?: true;
  /** What a file may have several of, of which one is read. */
  readonly layers?: "Layer" | "Sheet";
  readonly mayLackSystem?: true;
  readonly hasEncodings?: true;
  readonly hasDelimiters?: true;
}

/** Made of server/formats/readNames.ts. */
export const IMPORT_FORMATS: readonly FileFormat[] = [
${read.join("\n")}
];

/** The formats for results of methods. */
export const OUTPUT_FORMATS = ${JSON.stringify(OUTPUT_FORMATS)} as const;
`;
  return formatted(CONSOLE_FORMATS, text);
}

const MEMBERS = ["isWhole", "layers", "mayLackSystem", "hasEncodings", "hasDelimiters"] as const;

function membersOf(format: Readonly<Record<string, unknown>>): string {
  return MEMBERS.map((name) => (format[name] === undefined ? "" : `, ${name}: ${JSON.stringify(format[name])}`)).join(
    "",
  );
}
