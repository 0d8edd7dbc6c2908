/** A receiver of OTLP over HTTP in JSON, which remembers the spans. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  /** 2: an error. */
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string }[];
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of the service that has sent last. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** All bodies, as text. */
  readonly body: string;
  /** The number of requests. */
  readonly requests: number;
}

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes"> & { readonly attributes: readonly Attribute[] })[];
    }[];
  }[];
}

/** `hangs`: it accepts requests and never answers. */
export async function otlpReceiver({ hangs = false } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  let [body, requests, resource] = ["", 0, {}];
  const server = createServer((request, response) => {
    requests++;
    if (hangs || request.url !== "/v1/traces") return;
    void text(request).then((sent) => {
      body += sent;
      for (const one of (JSON.parse(sent) as Sent).resourceSpans) {
        resource = toObject(one.resource.attributes);
        for (const scope of one.scopeSpans)
          spans.push(...scope.spans.map((span) => ({ ...span, attributes: toObject(span.attributes) })));
      }
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get resource() {
      return resource;
    },
    get body() {
      return body;
    },
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toObject(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
