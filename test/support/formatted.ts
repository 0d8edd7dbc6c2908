/** Text as `npm run lint` wants it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format, type FormatConfig } from "oxfmt";

const OPTIONS = JSON.parse(readFileSync(join(import.meta.dirname, "../../.oxfmtrc.json"), "utf8")) as FormatConfig;

/** `file`: its ending says what the text is. Throws for a text that cannot be read as that. */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, OPTIONS);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  return code;
}
