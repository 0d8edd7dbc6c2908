/** Change events, what gateways of a fleet tell each other, and sockets. */
import { z } from "zod";
import { SECOND, DAY, MEGABYTE, count, milliseconds, list, readableFile, type Option } from "./kinds.ts";

const natsUrls = list.pipe(
  z.array(
    z
      .url({ protocol: /^(nats|tls)$/, error: "must be a nats:// or tls:// address" })
      .refine((text) => /^\w+:\/\/[^/]+\/?$/.test(text), "must have a host, and nothing after host and port"),
  ),
);

export const EVENTS = {
  events: {
    env: "PORTOLAN_EVENTS",
    schema: z.enum(["marked", "all"]),
    default: "marked",
    doc: "`all`: every table of the exposed schemas has change events; `marked`: those that were switched on.",
  },
  eventPoolSize: {
    schema: count.min(2).max(1000),
    default: 4,
    doc: "Connections per database that read change events and judge them, beside one that follows their order.",
  },
  eventRetentionMs: {
    schema: milliseconds,
    default: DAY,
    doc: "How long change events are kept for subscribers that resume.",
  },
  eventRetentionBytes: {
    schema: count,
    default: 1000 * MEGABYTE,
    doc: "Most bytes of change events that are kept; the oldest are deleted first.",
  },
  natsUrl: {
    schema: natsUrls,
    default: [],
    doc: "NATS with JetStream, 2.9.4 or later, over which the gateways of a fleet share the work of events, and their counts: `nats://user:password@host:4222`, `nats://token@host` or `tls://host`; several servers by commas. Without it, each gateway uses PostgreSQL alone.",
  },
  natsCredentials: {
    schema: readableFile.optional(),
    doc: "File of NATS credentials (`.creds`), in place of a password in `natsUrl`.",
  },
  natsTlsCa: {
    schema: readableFile.optional(),
    doc: "PEM file of the authority that signed the certificates of NATS. Default: those that Node knows.",
  },
  natsTlsCert: {
    schema: readableFile.optional(),
    doc: "PEM file of the certificate by which NATS knows this gateway; with `natsTlsKey`.",
  },
  natsTlsKey: {
    schema: readableFile.optional(),
    doc: "PEM file of its private key.",
  },
  listenAuthorization: {
    schema: z
      .string()
      .regex(/^[^.]+\.[^.]+$/, "must be the name of a function as schema.name")
      .optional(),
    doc: "Function of the database, `schema.name`, that is called with a topic as the subscriber's role: it lets the subscription field `listen(topic)` hear `pg_notify('postgraphile:<topic>', …)`, or refuses by raising or by returning false. Without it there is no such field.",
  },
  maxSocketsPerAccount: {
    schema: count,
    default: 1000,
    doc: "WebSockets that an account may have open, on each host; with `natsUrl`, in the fleet.",
  },
  maxSocketsPerAddress: {
    schema: count,
    default: 20_000,
    doc: "WebSockets that may be open from one address, on each host; with `natsUrl`, in the fleet; higher, because many accounts may share one.",
  },
  maxSubscriptionsPerSocket: {
    schema: count,
    default: 100,
    doc: "Subscriptions on one WebSocket; each root field of an operation is one.",
  },
  maxMessageBytes: {
    schema: count.max(100 * MEGABYTE),
    default: 1 * MEGABYTE,
    doc: "Largest message that a client may send over a WebSocket.",
  },
  maxSocketBufferBytes: {
    schema: count,
    default: 8 * MEGABYTE,
    doc: "Most bytes that may wait for the client of a WebSocket. A socket that falls further behind is closed with 4429, and its client may resume.",
  },
  socketPingIntervalMs: {
    schema: milliseconds.max(15 * SECOND),
    default: 12 * SECOND,
    doc: "Interval between two pings on a WebSocket. A socket that has not answered by the next one is closed.",
  },
} as const satisfies Record<string, Option>;
