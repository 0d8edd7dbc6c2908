/** The `result` of a call as JSON text: `schema` and `data`, in any output format. */
import { GatewayError } from "../errors.ts";
import type { TextRow } from "../database.ts";
import { schemaOf, type Column } from "./columns.ts";

/** Collects the rows of one or several runs as JSON. */
export class JsonResult {
  readonly #maxBytes: number;
  #columns: readonly Column[] | undefined;
  #names: string[] = [];
  readonly #rows: string[] = [];
  #bytes = 0;
  rows = 0;
  affected = 0;

  /** `maxBytes`: the longest answer that the process holds in its memory. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  start(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#names = columns.map(({ name }, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  }

  add(rows: readonly TextRow[]): void {
    const outputs = this.#columns!.map(({ output }) => output);
    const names = this.#names;
    for (const row of rows) {
      let text = names.length === 0 ? "{" : "";
      for (let index = 0; index < names.length; index++) {
        const value = row[index]!;
        text += names[index]! + (value === null ? "null" : outputs[index]!.json(value));
      }
      text += "}";
      this.#bytes += text.length;
      this.#rows.push(text);
    }
    if (this.#bytes > this.#maxBytes)
      throw new GatewayError(
        "LIMIT_EXCEEDED",
        "The answer is too large: ask for fewer rows, or for a streamed format",
        {
          sqlstate: "54000",
        },
      );
  }

  /** `more`: members beside schema and data. */
  toText(more: Readonly<Record<string, unknown>> = {}): string {
    const affected = this.#columns ? {} : { affected_rows: this.affected };
    const members = Object.entries({ ...affected, ...more })
      .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join("");
    return `{"schema":${JSON.stringify(schemaOf(this.#columns ?? []))},"data":[${this.#rows.join(",")}]${members}}`;
  }
}
