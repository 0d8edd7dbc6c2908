/** The listening socket of the service. */
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Config } from "./kernel/config.ts";
import { StartError } from "./prepareDatabase.ts";

/** Of HTTP, or of HTTPS where there is a certificate. */
export function createServer(config: Config): Server {
  // an offer of another protocol, as of HTTP/2, is declined: the request is answered as any other
  const options = {
    shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean =>
      /^websocket$/i.test(headers.upgrade ?? "") && server.listenerCount("upgrade") > 0,
  };
  const server: Server =
    config.tlsCert !== undefined && config.tlsKey !== undefined
      ? createHttpsServer({ ...options, cert: readFileSync(config.tlsCert), key: readFileSync(config.tlsKey) })
      : createHttpServer(options);
  server.keepAliveTimeout = 65_000; // longer than the usual 60 s of a proxy, which would else write to a closed socket
  return server;
}

/** Throws `StartError` where the port cannot be had. */
export function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is in use: stop what listens there, or choose another with PORT`,
        EACCES: `Port ${port} on ${host} may not be listened on by this user: choose another with PORT`,
        EADDRNOTAVAIL: `${host} is no address of this machine: choose another with HOST`,
        ENOTFOUND: `${host} is no address of this machine: choose another with HOST`,
      };
      reject(new StartError(reasons[error.code ?? ""] ?? error.message, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/** The address that it listens on. */
export function addressOf(server: Server, config: Config): string {
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return `${config.tlsCert === undefined ? "http" : "https"}://${host}:${port}`;
}
