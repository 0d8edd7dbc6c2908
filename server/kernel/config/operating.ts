/** For operators: shutdown, logs, metrics, traces and request limits. */
import { z } from "zod";
import { cidr } from "./addresses.ts";
import { SECOND, milliseconds, flag, list, type Option } from "./kinds.ts";

export const OPERATING = {
  shutdownTimeoutMs: {
    schema: milliseconds,
    default: 8 * SECOND,
    doc: "How long requests in flight may take to end after SIGTERM.",
  },
  opsToken: {
    schema: z.string().min(16, "must have at least 16 characters").optional(),
    doc: "Bearer token with which `/metrics` and the details of `/readyz` may be read from anywhere.",
  },
  opsAddresses: {
    schema: list.pipe(z.array(cidr)).optional(),
    doc: "CIDR ranges from which they may be read without a token. Default: loopback and private networks, or none where `opsToken` is set. A request through a proxy that is not in `trustedProxies` needs the token.",
  },
  logLevel: {
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    default: "info",
    doc: "Least level that is logged.",
  },
  requestLog: {
    schema: flag,
    default: true,
    doc: "Whether requests are kept in their database for 24 hours (`GET /api/v4/requests`): time, account, address, path, status, duration, and the reason of a failure. Their counts (`/statistics`) are always kept.",
  },
  otlpEndpoint: {
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    schema: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }).optional(),
    doc: "Where traces are sent to, by OTLP over HTTP (`/v1/traces` is added). Default: OpenTelemetry is not loaded. Its headers, certificates, service name and resource attributes are OpenTelemetry's own variables (`OTEL_…`).",
  },
  traceSampler: {
    env: "OTEL_TRACES_SAMPLER",
    schema: z.enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ]),
    default: "parentbased_traceidratio",
    doc: "Which requests are traced. With `parentbased_…`, the `traceparent` of a request decides if it has one.",
  },
  traceSamplerArg: {
    env: "OTEL_TRACES_SAMPLER_ARG",
    schema: z.coerce.number().min(0).max(1),
    default: 1,
    doc: "Part of the requests that `traceidratio` traces.",
  },
  corsOrigins: {
    schema: list,
    default: ["*"],
    doc: "Origins that browsers may call from; `*` for all (without credentials), empty for none.",
  },
  rateLimit: {
    schema: z.coerce.number().int().min(0),
    default: 0,
    doc: "Requests per minute for each address, and for each account, counted on each host: two behind a load balancer let twice as many through. With `natsUrl` and one `baseUrl` they count together, within a tenth. 0 for no limit.",
  },
} as const satisfies Record<string, Option>;
