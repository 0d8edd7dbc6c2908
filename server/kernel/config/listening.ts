/** Where the service listens, and as what clients know it. */
import { withoutAtEnd } from "../../types/texts.ts";
import { z } from "zod";
import { cidr } from "./addresses.ts";
import { SECOND, port, milliseconds, list, readableFile, type Option } from "./kinds.ts";

const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .refine((text) => !/[?#]/.test(text), "must have no query and no fragment")
  .transform((text) => withoutAtEnd(text, "/"));

export const LISTENING = {
  host: { schema: z.string().min(1), default: "127.0.0.1", doc: "Address to listen on." },
  port: { schema: port, default: 7575, doc: "Port to listen on; 0 takes a free one." },
  workers: {
    schema: z.coerce.number().int().min(0).max(256),
    default: 1,
    doc: "Processes that serve on one port; 0: as many as there are cores. Each has pools of its own (`poolSize`). All of them share the limits of requests and sockets, the MapServer processes and their connections.",
  },
  workerHangMs: {
    schema: milliseconds.min(5 * SECOND),
    default: 30 * SECOND,
    doc: "How long one of several `workers` may show no sign of life before it is ended and replaced. A large schema takes time to build: with thousands of tables, stay near the default.",
  },
  baseUrl: {
    schema: baseUrl.optional(),
    doc: "Address of the service as clients see it, in every link, `iss` and redirect. Default `http://HOST:PORT`. With https, cookies are `Secure`.",
  },
  trustedProxies: {
    schema: list.pipe(z.array(cidr)),
    default: [],
    doc: "CIDR ranges from which `Forwarded` and `X-Forwarded-For` are believed, read from the right.",
  },
  tlsCert: {
    schema: readableFile.optional(),
    doc: "PEM file of the certificate chain; with `tlsKey` the service speaks https itself.",
  },
  tlsKey: { schema: readableFile.optional(), doc: "PEM file of the private key." },
} as const satisfies Record<string, Option>;
