/** Makes OTLP of spans and sends them in a thread of its own, so that requests do not wait for that. */
import { Worker } from "node:worker_threads";
import type { Resource } from "@opentelemetry/resources";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { besideCode } from "../../ground/packageDirectory.ts";

type Told = Parameters<SpanExporter["export"]>[1];

/** OpenTelemetry's `ExportResultCode.FAILED`. */
const FAILED = 1;

interface Options {
  /** The options of OpenTelemetry's OTLP exporter. */
  readonly exporter: { readonly url: string; readonly timeoutMillis: number };
  readonly resource: Pick<Resource, "attributes" | "schemaUrl">;
  readonly scope: { readonly name: string; readonly version: string };
}

/**
 * An exporter whose work is done in a thread, which keeps no process alive. If the thread ends with an error, the spans that it has
 * are lost, and another one takes the next spans.
 */
export class ExportThread implements SpanExporter {
  readonly #options: Options;
  readonly #waiting = new Map<number, Told>();
  #worker: Worker | undefined;
  #serial = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  export(spans: readonly ReadableSpan[], told: Told): void {
    const id = ++this.#serial;
    this.#waiting.set(id, told);
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, spans: spans.map(plain) });
  }

  async shutdown(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { exporter, resource, scope } = this.#options;
    const { attributes, schemaUrl } = resource;
    const worker = new Worker(besideCode("server/kernel/tracing/exportWorker.mjs"), {
      workerData: { exporter, resource: { attributes, schemaUrl }, scope },
    });
    worker.on("message", ({ id, code, message }: { id: number; code: number; message?: string }) =>
      this.#tell(id, code, message),
    );
    worker.on("error", ({ message }: Error) => {
      this.#worker = undefined;
      for (const id of this.#waiting.keys()) this.#tell(id, FAILED, message);
    });
    worker.unref(); // after `on`, which would keep the process alive
    return worker;
  }

  #tell(id: number, code: number, message: string | undefined): void {
    const told = this.#waiting.get(id);
    this.#waiting.delete(id);
    told?.(message === undefined ? { code } : { code, error: new Error(message) });
  }
}

/** What OTLP has of a span, without functions, which no thread takes. */
function plain(span: ReadableSpan): object {
  const { name, kind, startTime, endTime, status, attributes, events } = span;
  const { traceId, spanId, traceFlags } = span.spanContext();
  const parent = span.parentSpanContext;
  return {
    name,
    kind,
    startTime,
    endTime,
    status,
    attributes,
    events,
    links: [],
    context: { traceId, spanId, traceFlags },
    ...(parent && { parentSpanContext: { spanId: parent.spanId, isRemote: parent.isRemote } }),
  };
}
