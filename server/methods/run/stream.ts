/** The rows of one call as a document of their own, sent while PostgreSQL gives them. */
import { GatewayError } from "../../ground/errors.ts";
import type { Stream, Write } from "../../kernel/http/answer.ts";
import { withRetries } from "../../ground/retry.ts";
import { limited, isVetted, setsOf, singleRequest } from "./calls.ts";
import { errorText, type Id } from "./envelope.ts";
import { JobFailure, remediesOf, runJobs, type Job, type MethodsOfDatabase } from "./execution.ts";
import { FORMATS } from "../../formats/all.ts";
import type { Format } from "../../formats/writer.ts";
import type { OutputFormat } from "../../formats/names.ts";
import type { CallContext, Params, Runnable } from "../method.ts";
import { render } from "./render.ts";

export interface RowStream extends Stream {
  /** The error as the text of a JSON-RPC response; without it the error is a problem. */
  errorText?(error: unknown): string;
}

/** Whether a format goes out as it is. Undefined for JSON. */
export function formatFor(name: OutputFormat, accepts: (mediaType: string) => boolean): Format | undefined {
  if (name === "json") return undefined;
  const format = FORMATS[name];
  return [format.mediaType.split(";")[0]!, ...(format.aliases ?? [])].some(accepts) ? format : undefined;
}

export async function openStream(
  of: MethodsOfDatabase,
  context: CallContext,
  json: unknown,
  accepts: (mediaType: string) => boolean,
): Promise<RowStream | undefined> {
  const request = singleRequest(json);
  if (!request) return undefined;
  const find = async () => {
    const { methods, generation } = await of.store.find(context.identity, [request.method]);
    return { method: methods.get(request.method), generation };
  };
  const first = await find().catch(() => undefined); // the answer in JSON says what is wrong
  const format = first?.method && formatFor(first.method.outputFormat, accepts);
  if (!format) return undefined;
  const id: Id = request.id ?? null;
  return {
    mediaType: format.mediaType,
    errorText: (error) => errorText(id, render(error instanceof JobFailure ? error.cause : error, context, of.options)),
    async send(write) {
      let job: StreamJob | undefined;
      const attempt = async (): Promise<void> => {
        const { method, generation } = await find();
        if (!method) throw new GatewayError("METHOD_NOT_FOUND");
        job = streamJob(limited(method, of.options), setsOf(request), format, write);
        await runJobs(of, context, [job], {
          service: "rpc",
          published: isVetted(method, context),
          generation,
        });
      };
      await withRetries(attempt, remediesOf(of, context), { hasBegun: () => job?.hasBegun ?? false });
    },
  };
}

interface StreamJob extends Job<void> {
  readonly hasBegun: boolean;
}

/** Nothing is written before the first rows, or the end, have arrived: until then an error can be reported. */
export function streamJob(runnable: Runnable, sets: readonly Params[], format: Format, write: Write): StreamJob {
  let hasBegun = false;
  let started = false;
  return {
    runnable,
    sets,
    get hasBegun() {
      return hasBegun;
    },
    open() {
      const writer = format.open((chunk) => {
        hasBegun = true;
        return chunk.length === 0 ? undefined : write(chunk);
      }, runnable.srs);
      return {
        start(columns) {
          if (started) return;
          started = true;
          return writer.start(columns);
        },
        add: (rows) => writer.rows(rows),
        json: writer.json && { ...writer.json, many: true },
        written: writer.written,
        form: format.geometries,
        finish: async () => {
          if (!started) await writer.start([]);
          await writer.end();
        },
        close: () => writer.close?.(),
      };
    },
    finish: (sink) => sink.finish?.(),
  };
}
