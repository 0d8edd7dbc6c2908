/** The health of the service, for super users: findings, requests by minute and one by one, running statements. */
import { queryOptions } from "@tanstack/react-query";
import type {
  Finding,
  Gateway,
  RequestMinute as Minute,
  ExplainedRequest,
  Request as LoggedRequest,
  Statement,
  TableSize,
  TopStatement,
} from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";

export type { ExplainedRequest, Finding, Gateway, Minute, LoggedRequest, Statement, TableSize, TopStatement };

/** The filter of the request log. All of it is in the address. */
export interface RequestSearch {
  readonly id?: string;
  readonly status?: string;
  /** The error code. */
  readonly code?: string;
  readonly account?: string;
  readonly door?: string;
  /** The table or view in a refusal. */
  readonly relation?: string;
  /** Instants. */
  readonly from?: string;
  readonly to?: string;
  readonly errorId?: string;
  /** The shortest duration, in milliseconds. */
  readonly ms?: string;
  /** Whether the requests of the console are in the list: shown or hidden. Default hidden, where no failure is searched for. */
  readonly console?: string;
}

/** The searches that ask for a failure, which may have happened in the console. */
const OF_FAILURES = ["id", "errorId", "code", "status", "relation"] as const;

export function showsConsole(search: RequestSearch): boolean {
  return search.console === undefined
    ? OF_FAILURES.some((name) => search[name] !== undefined)
    : search.console === "shown";
}

/** The parameters of a search at the service. */
export function asked(search: RequestSearch): Readonly<Record<string, string>> {
  const { console: _, ...others } = search;
  return showsConsole(search) ? others : { ...others, client: "-portolan-console" };
}

export const REQUEST_FILTERS = [
  "account",
  "door",
  "relation",
  "code",
  "status",
  "from",
  "to",
  "id",
  "errorId",
  "ms",
] as const;

export function explainedRequest(id: string) {
  return queryOptions({
    queryKey: ["requests", id],
    queryFn: ({ signal }) => answer(rest.GET("/requests/{id}", { params: { path: { id } }, signal })),
  });
}

export const findings = queryOptions({
  queryKey: ["doctor"],
  queryFn: ({ signal }) => answer(rest.GET("/doctor", { signal })),
});

export const statistics = queryOptions({
  queryKey: ["statistics"],
  queryFn: ({ signal }) => answer(rest.GET("/statistics", { signal })),
});

export const sizes = queryOptions({
  queryKey: ["sizes"],
  queryFn: ({ signal }) => answer(rest.GET("/sizes", { signal })),
});

export const statements = queryOptions({
  queryKey: ["statements"],
  queryFn: ({ signal }) => answer(rest.GET("/statements", { signal })),
});

export const topStatements = queryOptions({
  queryKey: ["statements", "top"],
  queryFn: ({ signal }) => answer(rest.GET("/statements/top", { signal })),
});

/** The running instances. Each updates its entry every 5 s. */
export const gateways = queryOptions({
  queryKey: ["fleet"],
  queryFn: ({ signal }) => answer(rest.GET("/fleet", { signal })),
});

const LOOKS = 20;
const PAUSE_MS = 250;

/** Ends a statement. Resolves with the running statements once it has ended, which takes PostgreSQL a moment. */
export async function cancelStatement({ pid, started }: Statement): Promise<Statement[]> {
  await rest.DELETE("/statements/{pid}", { params: { path: { pid: String(pid) }, query: { started } } });
  for (let look = 1; ; look++) {
    const running = await answer(rest.GET("/statements"));
    const isOver = !running.some((each) => each.pid === pid && each.started === started && each.state === "active");
    if (isOver || look === LOOKS) return running;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The minutes of all hosts together, without gaps, from the first one to `now`. */
export interface Day {
  /** Seconds since 1970, the form that the chart needs. */
  readonly times: readonly number[];
  readonly requests: readonly number[];
  readonly refused: readonly number[];
  readonly failed: readonly number[];
  /** The values of the slowest host; null for a minute without requests. */
  readonly p95: readonly (number | null)[];
  readonly eventLag: readonly number[];
  readonly mapQueue: readonly number[];
}

const MINUTE_MS = 60_000;

export function toDay(minutes: readonly Minute[], now: number): Day {
  const byMinute = new Map<number, Minute[]>();
  for (const each of minutes) {
    const minute = Math.floor(Date.parse(each.minute) / MINUTE_MS);
    byMinute.set(minute, [...(byMinute.get(minute) ?? []), each]);
  }
  const last = Math.floor(now / MINUTE_MS);
  const first = Math.max(last - 24 * 60 + 1, Math.min(last, ...byMinute.keys()));
  const all = Array.from({ length: last - first + 1 }, (_, index) => byMinute.get(first + index) ?? []);
  const sum = (of: (minute: Minute) => number) =>
    all.map((hosts) => hosts.reduce((total, each) => total + of(each), 0));
  const most = (of: (minute: Minute) => number) => all.map((hosts) => Math.max(0, ...hosts.map(of)));
  return {
    times: all.map((_, index) => (first + index) * 60),
    requests: sum(({ requests }) => requests),
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    p95: most(({ p95_ms: p95 }) => p95 ?? 0).map((value) => (value === 0 ? null : value)),
    eventLag: most(({ event_lag_ms: lag }) => lag),
    mapQueue: most(({ map_queue: queue }) => queue),
  };
}
