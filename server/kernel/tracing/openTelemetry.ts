/** The one place that knows OpenTelemetry; loaded only where an endpoint is set. */
import { withoutAtEnd } from "../../types/texts.ts";
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import type { Context, Span as OtelSpan, SpanContext, Tracer } from "@opentelemetry/api";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import { loadModule } from "libpg-query";
import type { Config } from "../config.ts";
import { GatewayError, sqlstateOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import { ExportThread } from "./exportThread.ts";
import { commandOf, statementShape } from "./statementShape.ts";
import { within, type Attributes, type Span, type Tracing } from "./trace.ts";

const SECOND = 1000;
/** Spans for a slower receiver are lost, and shutdown waits no longer than this. */
const EXPORT_TIMEOUT_MS = 3 * SECOND;
const EXPORT_INTERVAL_MS = SECOND;
const CLOSE_WITHIN_MS = SECOND;
const COMPLAIN_EVERY_MS = 60 * SECOND;

export type TracingConfig = Pick<Config, "otlpEndpoint" | "traceSampler" | "traceSamplerArg">;

/** Sends spans to `otlpEndpoint` by OTLP over HTTP. Spans that cannot be sent in time are dropped. Nothing waits for it. */
export async function openTracing(config: TracingConfig, version: string, log: Log): Promise<Tracing> {
  await loadModule(); // for the shapes of statements
  complainTo(log);
  const resource = resourceOf(version);
  const scope = { name: "portolan", version };
  const url = `${withoutAtEnd(config.otlpEndpoint ?? "", "/")}/v1/traces`;
  const exporter = new ExportThread({ exporter: { url, timeoutMillis: EXPORT_TIMEOUT_MS }, resource, scope });
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_INTERVAL_MS });
  const provider = new TracerProvider({
    sampler: toSampler(config),
    spanProcessors: [processor],
    resource,
  });
  const tracer = provider.getTracer(scope.name, scope.version);
  return {
    serve({ request, response, routeOf, run }) {
      const { method = "" } = request;
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, remoteContext(request.headers["traceparent"]));
      const context = span.spanContext();
      response.setHeader("traceresponse", toTraceparent(context)); // W3C Trace Context Level 2 §4
      if (!span.isRecording()) return run();
      request.traceId = context.traceId;
      response.once("close", () => {
        const route = routeOf();
        if (route !== undefined) span.updateName(`${method} ${route}`);
        const isWhole = response.writableFinished;
        span.setAttributes({
          "http.request.method": method,
          ...(route !== undefined && { "http.route": route }),
          ...(isWhole && { "http.response.status_code": response.statusCode }),
          ...(request.requestId !== undefined && { "portolan.request_id": request.requestId }),
        });
        const failure = !isWhole ? "client_gone" : response.statusCode >= 500 ? String(response.statusCode) : undefined;
        if (failure !== undefined) setFailure(span, failure);
        span.end();
      });
      within(new RecordedSpan(tracer, span), run);
    },
    async run(name, run) {
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, ROOT_CONTEXT);
      if (!span.isRecording()) return run();
      const recorded = new RecordedSpan(tracer, span);
      try {
        const result = await within(recorded, run);
        recorded.end();
        return result;
      } catch (error) {
        recorded.end(error);
        throw error;
      }
    },
    delivered({ database, relation, changes, writtenAtMs, noticedAtMs }) {
      const span = tracer.startSpan(
        "deliver events",
        { kind: SpanKind.PRODUCER, startTime: Math.min(writtenAtMs, Date.now()) },
        ROOT_CONTEXT,
      );
      if (!span.isRecording()) return;
      span.setAttributes({
        "db.namespace": database,
        "db.collection.name": relation,
        "portolan.events.changes": changes,
      });
      span.addEvent("noticed", noticedAtMs);
      span.end();
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_WITHIN_MS); // the thread that sends does not keep the process alive
      await Promise.race([provider.shutdown().catch(() => undefined), late]); // the failure to send has been logged
      clearTimeout(timer);
    },
  };
}

/** Who sends the spans, with what `OTEL_RESOURCE_ATTRIBUTES` adds. */
function resourceOf(version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ "service.name": "portolan", "service.version": version }))
    .merge(detectResources({ detectors: [envDetector] }));
}

class RecordedSpan implements Span {
  readonly #tracer: Tracer;
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(tracer: Tracer, span: OtelSpan) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get traceparent(): string {
    return toTraceparent(this.#span.spanContext());
  }

  get hasEnded(): boolean {
    return !this.#span.isRecording();
  }

  child(name: string, attributes: Attributes = {}, kind = SpanKind.INTERNAL): Span {
    return new RecordedSpan(this.#tracer, this.#tracer.startSpan(name, { attributes, kind }, this.#context));
  }

  statement(text: string): Span {
    const command = commandOf(text);
    return this.child(
      command,
      { "db.system.name": "postgresql", "db.operation.name": command, "db.query.text": statementShape(text) },
      SpanKind.CLIENT,
    );
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      const state = sqlstateOf(error);
      if (state !== undefined) this.#span.setAttribute("db.response.status_code", state);
      setFailure(this.#span, state ?? (error instanceof GatewayError ? error.code : "error"));
    }
    this.#span.end();
  }
}

/** Never with a message: it may contain values. */
function setFailure(span: OtelSpan, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The six of OpenTelemetry's specification. */
function toSampler({ traceSampler, traceSamplerArg }: TracingConfig): Sampler {
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(traceSamplerArg),
  };
  const root = (roots[traceSampler.replace("parentbased_", "")] ?? roots["always_on"])!();
  return traceSampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

/** W3C Trace Context §3.2.2; an invalid header begins a new trace, like a missing one. */
function remoteContext(header: string | string[] | undefined): Context {
  const [, traceId = "", spanId = "", flags = ""] =
    /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(String(header)) ?? [];
  if (traceId === "") return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** Messages of OpenTelemetry, once a minute: a missing receiver must not fill the log. */
function complainTo(log: Log): void {
  let complainedAt = -Infinity;
  const complain = (message: string): void => {
    if (performance.now() - complainedAt < COMPLAIN_EVERY_MS) return;
    complainedAt = performance.now();
    log.warn({ detail: message }, "traces are not sent");
  };
  const silent = (): void => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
