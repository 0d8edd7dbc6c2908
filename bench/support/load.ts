/** Requests of several servers, measured in turn, so that a change of the machine's speed affects them all. */
import autocannon from "autocannon";
import type { Row } from "./benchmark.ts";
import { childrenOf, familyOf, stopwatch } from "./processes.ts";

export interface Target {
  readonly name: string;
  readonly url: string;
  /** Process id of the server. The processor time of its children counts too. */
  readonly pid: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST. Without one it is a GET. */
  readonly body?: string;
}

/** The cost of requests of one server, as the median of the rounds. */
export interface Measured {
  readonly name: string;
  /** Requests per second, which say little on a busy machine. */
  readonly rate: number;
  /** Processor time of one request, in ms: of the server, and of PostgreSQL. */
  readonly service: number;
  readonly postgres: number;
}

const CONNECTIONS = 8;
const ROUNDS = 7;
const SECONDS_PER_ROUND = 2;
/** Requests before the most used code is compiled. */
const WARM_UP_SECONDS = 12;

/** The results are in the order of the targets. Throws when an answer is not 200. */
export async function measureInTurn(targets: readonly Target[], postmaster: number): Promise<readonly Measured[]> {
  const rounds = targets.map((): Measured[] => []);
  for (const target of targets) await shoot(target, postmaster, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, target] of targets.entries())
      rounds[index]!.push(await shoot(target, postmaster, SECONDS_PER_ROUND));
  return targets.map(({ name }, index) => ({
    name,
    rate: median(rounds[index]!.map(({ rate }) => rate)),
    service: median(rounds[index]!.map(({ service }) => service)),
    postgres: median(rounds[index]!.map(({ postgres }) => postgres)),
  }));
}

/** One line of the table: the rates, and the processor time of both. */
export function comparison(what: string, ours: Measured, peer: Measured, target: string): Row {
  const time = ({ service, postgres }: Measured): number => service + postgres;
  const shown = (of: Measured): string =>
    `${Math.round(of.rate)} req/s, ${of.service.toFixed(2)} + ${of.postgres.toFixed(2)} ms`;
  return {
    what,
    ours: shown(ours),
    peer: `${peer.name} ${shown(peer)}`,
    ratio: `${(ours.rate / peer.rate).toFixed(2)}, of time ${(time(peer) / time(ours)).toFixed(2)}`,
    target,
  };
}

async function shoot(target: Target, postmaster: number, duration: number): Promise<Measured> {
  const { name, url, pid, headers, body } = target;
  const service = stopwatch(() => familyOf(pid));
  const postgres = stopwatch(() => childrenOf(postmaster));
  const result = await autocannon({
    url,
    ...(body === undefined
      ? { headers }
      : { method: "POST", headers: { "content-type": "application/json", ...headers }, body }),
    connections: CONNECTIONS,
    duration,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} answers were not 200`);
  const { total, average: rate } = result.requests;
  return { name, rate, service: service() / total, postgres: postgres() / total };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `share`: of the values, those that are smaller; 0.95 for the 95th percentile. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}
