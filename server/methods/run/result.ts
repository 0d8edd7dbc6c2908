/** The destination of a call's rows: the text of a JSON-RPC result, or a stream. */
import type { TextRow } from "../../kernel/database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import type { Column } from "../../formats/column.ts";
import { shapeOf } from "../values/columns.ts";
import { FORMATS } from "../../formats/all.ts";
import type { Format, Writer } from "../../formats/writer.ts";
import type { OutputFormat } from "../../formats/names.ts";
import type { GeometryForm, JsonTaker, WrittenTaker } from "../../formats/writer.ts";
import type { Runnable } from "../method.ts";

/** Takes the rows of one call, which may be several runs. */
export interface Sink {
  /** For rows that PostgreSQL has made JSON objects of. */
  readonly json?: JsonTaker | undefined;
  /** For rows that are still bytes, instead of `add`. */
  readonly written?: WrittenTaker | undefined;
  /** The form that it wants for the first geometry column. Default: GeoJSON. */
  readonly form?: GeometryForm | undefined;
  start(columns: readonly Column[]): void | Promise<unknown>;
  add(rows: readonly TextRow[]): void | Promise<unknown>;
  /** Ends the document. */
  finish?(): void | Promise<void>;
  /** Releases the document's resources, whether it is complete or not. */
  close?(): Promise<void> | undefined;
}

/** The remaining memory for one answer, which may have many results. */
export class AnswerRoom {
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  /** Throws `LIMIT_EXCEEDED`. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0)
      throw new GatewayError("LIMIT_EXCEEDED", "The answer is too large: ask for fewer rows, or for a stream of them", {
        sqlstate: "54000",
      });
  }
}

/** Opens the results of one answer, job by job. The first has all the room, also when everything is tried again. */
export function resultsIn(
  maxBytes: number,
): (runnable: Pick<Runnable, "outputFormat" | "srs">, index: number) => Result {
  let room: AnswerRoom;
  return ({ outputFormat, srs }, index) => {
    if (index === 0) room = new AnswerRoom(maxBytes);
    return new Result(outputFormat, srs, room);
  };
}

/** Collects the `result` of a call in the method's output format, as JSON text. */
export class Result implements Sink {
  readonly #room: AnswerRoom;
  readonly #format: OutputFormat;
  #columns: readonly Column[] | undefined;
  #toJson: ((row: TextRow) => string) | undefined;
  /** The rows as JSON, with commas between. */
  #rows = "";
  readonly #parts: (string | Uint8Array)[] = [];
  readonly #writer: Writer | undefined;
  affected = 0;

  constructor(format: OutputFormat, srs: number, room: AnswerRoom) {
    this.#format = format;
    this.#room = room;
    if (format !== "json") this.#writer = FORMATS[format].open((chunk) => this.#keep(chunk), srs);
  }

  get form(): GeometryForm | undefined {
    return this.#format === "json" ? undefined : FORMATS[this.#format].geometries;
  }

  get json(): JsonTaker | undefined {
    return this.#writer
      ? this.#writer.json
      : { after: ",", add: (bytes) => this.#addText(bytes.toString("utf8", 0, bytes.length - 1)) };
  }

  start(columns: readonly Column[]): void | Promise<unknown> {
    if (this.#columns) return; // another run of the same statement
    this.#columns = columns;
    this.#toJson = shapeOf(columns).toJson;
    return this.#writer?.start(columns);
  }

  add(rows: readonly TextRow[]): void | Promise<unknown> {
    if (this.#writer) return this.#writer.rows(rows);
    for (const row of rows) this.#addText(this.#toJson!(row));
  }

  /** One row or several. */
  #addText(text: string): void {
    this.#room.take(text.length + 1);
    this.#rows = this.#rows === "" ? text : `${this.#rows},${text}`;
  }

  get #isBinary(): boolean {
    return (FORMATS[this.#format as keyof typeof FORMATS] as Format).binary === true;
  }

  #keep(part: string | Uint8Array): void {
    this.#room.take(part.length);
    this.#parts.push(typeof part === "string" || this.#isBinary ? part : Buffer.from(part).toString());
  }

  close(): Promise<void> | undefined {
    return this.#writer?.close?.();
  }

  /** `more`: members beside schema and data. */
  async toText(more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const members = Object.entries({ ...(this.#columns ? {} : { affected_rows: this.affected }), ...more })
      .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join("");
    const { schema } = shapeOf(this.#columns ?? []);
    if (!this.#writer || !this.#columns) return `{"schema":${schema},"data":[${this.#rows}]${members}}`;
    await this.#writer.end();
    const data = this.#isBinary
      ? Buffer.concat(this.#parts as Uint8Array[]).toString("base64")
      : (this.#parts as string[]).join("");
    return `{"schema":${schema},"format":"${this.#format}","data":${JSON.stringify(data)}${members}}`;
  }
}
