/**
 * Nested spans, from the arrival of a request to its last statement. This module does not load OpenTelemetry: where
 * tracing is off, or a request is not sampled, there is no span, and the code asks for one only once.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A part of a sampled request. */
export interface Span {
  /** For requests to another service (W3C Trace Context §3.2). */
  readonly traceparent: string;
  /** Whether it has ended: later work adds nothing. */
  readonly hasEnded: boolean;
  child(name: string, attributes?: Attributes): Span;
  /** A child for an SQL statement: its shape, never a value. */
  statement(text: string): Span;
  /** `error`: its SQLSTATE or code is recorded, never the message. */
  end(error?: unknown): void;
}

/** A delivery of change events, of one transaction to the subscriptions of one group. */
export interface Delivery {
  readonly database: string;
  readonly relation: string;
  readonly changes: number;
  /** When the last of them was written, and when it was noticed after its commit; milliseconds since the epoch. */
  readonly writtenAtMs: number;
  readonly noticedAtMs: number;
}

export interface Tracing {
  /**
   * Serves a request over HTTP: takes its `traceparent`, answers with `traceresponse`, and tells a span with the route's
   * path until the answer has ended.
   */
  serve(exchange: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly routeOf: () => string | undefined;
    readonly run: () => void;
  }): void;
  /** Runs a request that came in another way. */
  run<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** Records that events were given to sockets just now. */
  delivered(delivery: Delivery): void;
  /** Sends the remaining spans, for a second at most. */
  close(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span>();

/** The span of the running code, if its request is sampled. */
export function currentSpan(): Span | undefined {
  const span = spans.getStore();
  return span?.hasEnded ? undefined : span;
}

/** Runs `run` as a part of `span`. */
export function within<T>(span: Span, run: () => T): T {
  return spans.run(span, run);
}

/** Runs `run`, at once, and ends the span with it; without one it only runs. */
export function during<T>(span: Span | undefined, run: () => Promise<T>): Promise<T> {
  if (!span) return run();
  const result = run();
  result.then(
    () => span.end(),
    (error: unknown) => span.end(error),
  );
  return result;
}
