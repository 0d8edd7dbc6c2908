/** The reference system that a file describes in well-known text, such as a .prj file. */
import { badInput } from "../../ground/errors.ts";
import { quote } from "../../types/show.ts";
import { keyOfName } from "./keyOfName.ts";

/** The last member of a system that states its own code. */
const OWN_CODE = /(?:AUTHORITY|ID)\s*\[\s*"(?:EPSG|ESRI)"\s*,\s*"?(\d{1,6})"?\s*\]\s*\]\s*$/i;
/** Projected before geographic, which a projected system contains. */
const KINDS = [/PROJC(?:S|RS)\s*\[\s*"([^"]*)"/i, /GEO(?:GCS|GCRS|DCRS|GRAPHICCRS)\s*\[\s*"([^"]*)"/i];

/** Systems with heights that programs name, by those without, which PostGIS has: WGS 84, ETRS89, NAD83(2011). */
const WITHOUT_HEIGHT = new Map([
  [4979, 4326],
  [4937, 4258],
  [6319, 6318],
]);

/** The code that PostGIS has, of a system with or without heights. */
export function withoutHeight(code: number): number {
  return WITHOUT_HEIGHT.get(code) ?? code;
}

/**
 * The code of EPSG or ESRI, as PostGIS has it; 0: unknown. `given`: the caller's own, where the text is empty or its
 * name is not known. Throws `BAD_USER_INPUT`. `file`: for messages.
 */
export async function systemOfWkt(wkt: string, file: string, given: number | undefined): Promise<number> {
  const text = wkt.replace(/^\ufeff/, "").trim();
  if (text === "") return given ?? 0;
  const kind = KINDS.map((each) => each.exec(text)).find((found) => found !== null);
  const code = /^COMPD?(CS|OUNDCRS)\b/i.test(text) ? undefined : OWN_CODE.exec(text)?.[1];
  if (code !== undefined) return withoutHeight(Number(code));
  const { SYSTEM_NAMES } = await import("./names.ts");
  const named = kind && new RegExp(`\\s${keyOfName(kind[1]!)}=(\\d+)\\s`).exec(SYSTEM_NAMES)?.[1];
  return (
    (named === undefined || named === null ? given : Number(named)) ??
    badInput(
      `the reference system ${quote(kind?.[1] ?? text.slice(0, 60))} of the ${file} has no known EPSG code: set srid`,
    )
  );
}
