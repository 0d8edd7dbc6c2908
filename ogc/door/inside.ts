/** Requests from another door of this process, which pass the same steps as those of clients. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Identity, ReadPoint, Service } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import type { OperationId } from "../exchange/route.ts";

export interface InsideRequest {
  readonly operation: OperationId;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The caller, and the interface that rules and policies see. */
  readonly identity: Identity;
  readonly service: Service;
  readonly address: string | undefined;
  readonly requestId: string | undefined;
  readonly point: ReadPoint | undefined;
  /** Fires when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** The size of the largest answer, in bytes. */
  readonly maxBytes: number;
}

export interface InsideAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: Buffer;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface InsideExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers a request from inside the process. Throws what `serve` throws, `LIMIT_EXCEEDED` for an answer over
 * `maxBytes`, and `CLIENT_GONE` when the signal fires.
 */
export async function askInside(
  asked: InsideRequest,
  serve: (exchange: InsideExchange) => Promise<void>,
): Promise<InsideAnswer> {
  const { inject } = await import("light-my-request"); // loaded here because few services need it
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined); // the error is reported below, or after the answer
  const { address, requestId, point, signal, query } = asked;
  const injected = inject(
    (request, response) => {
      const exchange = { request, response } as unknown as InsideExchange;
      Object.assign(request, { address, requestId, point });
      const end = (error: unknown): void => {
        failed.reject(error as Error);
        exchange.response.destroy();
      };
      signal.addEventListener("abort", () => end(new GatewayError("CLIENT_GONE")), { once: true });
      serve(exchange).catch(end);
    },
    { method: "GET", url: `/?${new URLSearchParams(query)}`, payloadAsStream: true },
  );
  injected.catch(() => undefined); // `failed` has the reason
  const answer = await Promise.race([injected, failed.promise]);
  const parts: Buffer[] = [];
  let bytes = 0;
  const take = async (): Promise<void> => {
    for await (const part of answer.stream() as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > asked.maxBytes)
        throw new GatewayError("LIMIT_EXCEEDED", `The answer has more than ${asked.maxBytes} bytes`);
      parts.push(part);
    }
  };
  await Promise.race([take(), failed.promise]);
  const { "content-type": mediaType } = answer.headers;
  return {
    status: answer.statusCode,
    mediaType: String(mediaType ?? ""),
    body: Buffer.concat(parts),
    headers: answer.headers,
  };
}
