import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { toProblem, type GatewayError } from "../ground/errors.ts";

/** Answers a request for an upgrade with an HTTP error, and closes the connection. */
export function refuseUpgrade(stream: Duplex, error: GatewayError): void {
  if (stream.destroyed || !stream.writable) return;
  const body = JSON.stringify(toProblem(error));
  const headers = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
    ...error.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.once("finish", () => stream.destroy());
  stream.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}
