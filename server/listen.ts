/** The listening socket of the service. */
import { createServer as createHttpServer, STATUS_CODES, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { ListedAnswer } from "./kernel/http/listedHeaders.ts";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { certificateFiles, followCertificate, readCertificate } from "./operate/certificate.ts";
import type { Config } from "./kernel/config.ts";
import { mayTakeLong } from "./kernel/http/body.ts";
import { GatewayError, toProblem, type ErrorCode } from "./ground/errors.ts";
import type { Log } from "./ground/log.ts";
import { StartError } from "./prepareDatabase.ts";

/** The longest request line and headers of a request, for filters in the query. */
const MAX_HEAD_BYTES = 65_536;
/** How often a server that ends looks for connections on which nothing is left to be answered. */
const KEPT_LOOK_MS = 50;

/** The problem of input that never became a request; everything else is no HTTP. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "URI_TOO_LONG",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** An HTTPS server where a certificate is configured, else an HTTP server. */
export function createServer(config: Config, log: Log): Server {
  const files = certificateFiles(config);
  // an offer of another protocol, as of HTTP/2, is declined: the request is answered as any other
  const options = {
    ServerResponse: ListedAnswer,
    maxHeaderSize: MAX_HEAD_BYTES,
    shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean =>
      /^websocket$/i.test(headers.upgrade ?? "") && server.listenerCount("upgrade") > 0,
  };
  const secure = files && createHttpsServer({ ...options, ...readCertificate(files) });
  if (secure) followCertificate(secure, files, log);
  const server: Server = secure ?? createHttpServer(options);
  server.on("clientError", refuse);
  server.keepAliveTimeout = 65_000; // longer than the usual 60 s of a proxy, which would else write to a closed socket
  return server;
}

/** Answers what could not be read as a request with a problem, where nothing else is being answered, and ends the connection. */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: { headersSent: boolean; req?: object } | null },
): void {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && mayTakeLong(socket._httpMessage?.req ?? {})) return;
  if (socket.writable && !socket._httpMessage?.headersSent && error.code !== "ECONNRESET") {
    const known = REFUSALS[error.code ?? ""];
    const refusal = known
      ? new GatewayError(known)
      : new GatewayError("BAD_USER_INPUT", "The request is not valid HTTP");
    const body = JSON.stringify(toProblem(refusal));
    socket.write(
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/problem+json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
}

/** Throws `StartError` where the port is not available. */
export function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is in use: stop what listens there, or choose another with PORT`,
        EACCES: `Port ${port} on ${host} may not be listened on by this user: choose another with PORT`,
        EADDRNOTAVAIL: `${host} is not an address of this machine: choose another with HOST`,
        ENOTFOUND: `${host} is not an address of this machine: choose another with HOST`,
      };
      reject(new StartError(reasons[error.code ?? ""] ?? error.message, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/** Accepts no more requests, and resolves when all are answered. Those that are not answered after `graceMs` are cut. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // a client that has connections which it keeps asks on: it gets this answer there, and no more
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  const looking = setInterval(() => server.closeIdleConnections(), KEPT_LOOK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(looking);
  clearTimeout(cut);
}

/** The address that it listens on. */
export function addressOf(server: Server, config: Config): string {
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return `${config.tlsCert === undefined ? "http" : "https"}://${host}:${port}`;
}
