/** Requests per second of several servers, measured in turn, so that a change of the machine's speed meets them all. */
import autocannon from "autocannon";

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a POST. Without one it is a GET. */
  readonly body?: string;
}

const CONNECTIONS = 8;
const ROUNDS = 7;
const SECONDS_PER_ROUND = 2;
/** Until what is asked for most has been compiled. */
const WARM_UP_SECONDS = 12;

/** Median requests per second of each target over all rounds. Throws when an answer is not 200. */
export async function measureInTurn(targets: readonly Target[]): Promise<ReadonlyMap<string, number>> {
  const rates = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  for (const target of targets) await shoot(target, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) rates.get(target.name)?.push(await shoot(target, SECONDS_PER_ROUND));
  return new Map([...rates].map(([name, values]) => [name, median(values)]));
}

async function shoot({ name, url, headers, body }: Target, duration: number): Promise<number> {
  const result = await autocannon({
    url,
    ...(body === undefined
      ? { headers }
      : { method: "POST", headers: { "content-type": "application/json", ...headers }, body }),
    connections: CONNECTIONS,
    duration,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} answers were not 200`);
  return result.requests.average;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
