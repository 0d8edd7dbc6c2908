/** Asks many questions at once, by all accounts in turn over few connections, and keeps what differs from the truth. */
import { isDeepStrictEqual } from "node:util";
import { setTimeout } from "node:timers/promises";
import type { Random } from "../../support/random.ts";
import { agentToken } from "../../support/agent.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { SocketClient, socketUrl } from "../../support/webSocket.ts";
import { CLASSIC_WAYS } from "./classicWays.ts";
import { EVENT_WAYS } from "./eventWays.ts";
import { GRAPHQL_WAYS } from "./graphqlWays.ts";
import { MCP_WAYS } from "./mcpWays.ts";
import { OGC_WAYS } from "./ogcWays.ts";
import { REST_WAYS } from "./restWays.ts";
import { ASKED, type Rights, type Touched } from "./rights.ts";
import type { Truth } from "./truth.ts";
import { Busy, questionOf, type Doors, type Question, type Way } from "./way.ts";
import { ACCOUNTS, type Account, type Relation } from "./world.ts";

/** All, or those in whose names the words of `DIFFERENTIAL_WAYS` stand. */
export const WAYS: readonly Way[] = [
  ...GRAPHQL_WAYS,
  ...REST_WAYS,
  ...OGC_WAYS,
  ...CLASSIC_WAYS,
  ...MCP_WAYS,
  ...EVENT_WAYS,
].filter(({ name }) => name.includes(process.env["DIFFERENTIAL_WAYS"] ?? ""));

/** The ways to what is made beforehand. */
const TILES = ["OGC tile", "OGC tiles as a file"];

/** What the service promises of all rights but grants that are taken. */
const PROMISE_MS = 5000;
const AT_ONCE = 8;
/** The number of accounts that send requests at a time. Sessions then stay theirs for a while, before others get them. */
const ACCOUNTS_AT_A_TIME = 3;
const QUESTIONS_AT_A_TIME = 60;
const AGAIN_MS = 20;
const MOST_BUSY = 20;

export interface CompareOptions {
  readonly gateway: TestGateway;
  readonly relations: readonly Relation[];
  readonly instant: string;
  readonly truth: Truth;
  readonly rights: Rights;
  readonly random: Random;
}

export class Comparison {
  readonly #options: CompareOptions;
  readonly #doors: Doors;
  readonly #tokens = new Map<string, Promise<string>>();
  /** The ways that were asked in so far: some take few relations. */
  readonly #asked = new Set<Way>();
  readonly differences: string[] = [];
  readonly counts = new Map<string, number>();
  /** Answers that were right a moment later. */
  late = 0;
  refused = 0;
  #touched: readonly Touched[] = [];
  #changedAt = 0;

  constructor(options: CompareOptions) {
    this.#options = options;
    const { gateway, relations, instant } = options;
    this.#doors = {
      database: gateway.database.name,
      relations,
      instant,
      send: (account, path, body) => this.#send(account, path, body),
      socket: async (account) =>
        new SocketClient(`${socketUrl(gateway)}/?token=${await this.#token(account, false)}`).opened(),
      query: async (text) => (await gateway.database.client.query<Record<string, unknown>>(text)).rows,
    };
  }

  get compared(): number {
    return this.counts.values().reduce((sum, count) => sum + count, 0);
  }

  /** Some changes, one after another. */
  async change(count: number): Promise<void> {
    const { rights, truth } = this.#options;
    rights.last.length = 0;
    const touched: Touched[] = [];
    for (let n = 0; n < count; n++) touched.push(await rights.change());
    this.#touched = touched;
    this.#changedAt = performance.now();
    truth.forget();
  }

  /** Asks for the tiles of these relations, as each of these accounts. */
  async tiles(relations: readonly Relation[], accounts: readonly Account[]): Promise<void> {
    const ways = WAYS.filter(({ name }) => TILES.includes(name));
    await this.#compareAll(
      relations.flatMap((relation) =>
        accounts.flatMap((account) =>
          ways.map((way): [Way, Question] => [way, questionOf(this.#options.random, account, relation)]),
        ),
      ),
    );
  }

  /** The number of questions, eight at once. */
  async round(count: number): Promise<void> {
    await this.#compareAll(
      Array.from({ length: Math.ceil(count / QUESTIONS_AT_A_TIME) }, () => this.#questions()).flat(),
    );
  }

  async #compareAll(waiting: [Way, Question][]): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#compare(...next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  #questions(): [Way, Question][] {
    const { random, relations } = this.#options;
    const accounts = Array.from({ length: ACCOUNTS_AT_A_TIME }, () => random.of(ACCOUNTS));
    const asked = relations.filter((relation) => WAYS.some(({ takes }) => takes?.(relation) ?? true));
    return Array.from({ length: QUESTIONS_AT_A_TIME }, () => {
      const relation = random.of(asked);
      const ways = WAYS.filter(({ takes }) => takes?.(relation) ?? true);
      const others = ways.filter((each) => !this.#asked.has(each));
      const way = random.of(others.length > 0 && random.below(4) === 0 ? others : ways);
      this.#asked.add(way);
      return [way, questionOf(random, random.of(accounts), relation)];
    });
  }

  async #compare(way: Way, question: Question): Promise<void> {
    const { truth, rights } = this.#options;
    for (let busy = 0; ;) {
      const began = performance.now();
      try {
        const expected = await way.expect(question, truth, this.#doors);
        const shown = await way.ask(question, this.#doors, expected).catch((error: unknown) => {
          if (error instanceof Busy && ++busy < MOST_BUSY) return error;
          return `an error: ${String(error)}`;
        });
        if (shown instanceof Busy) continue;
        if (isDeepStrictEqual(shown, expected) || (shown === "refused" && this.#mayBeRefused(question))) {
          this.counts.set(way.name, (this.counts.get(way.name) ?? 0) + 1);
          if (expected === "refused") this.refused++;
          return;
        }
        if (began < this.#changedAt + PROMISE_MS && this.#isTouched(question)) {
          this.late++;
          await setTimeout(AGAIN_MS); // asks again until it is right, or the time is over
          continue;
        }
        const { account, relation, columns, condition, id, number } = question;
        const asked = { account: account.name, relation: relation.name, columns, condition: condition.sql, id, number };
        this.differences.push(
          `${way.name}: ${JSON.stringify(asked)}\n  shows  ${told(shown)}\n  truth  ${told(expected)}\n  after  ${rights.last
            .filter((text) => text.includes(relation.table) || text.includes(account.name))
            .slice(-8)
            .join("\n         ")}`,
        );
      } catch (error) {
        this.differences.push(`${way.name}: ${String((error as Error).stack)}`);
      }
      return;
    }
  }

  /** A view is no table of the rule that denies: some doors refuse it, and the others show no rows. */
  #mayBeRefused({ account, relation }: Question): boolean {
    const { rights } = this.#options;
    return relation.isView && ASKED.some((service) => rights.ruleFor(account, relation, service)?.access === "deny");
  }

  /** Of a relation, another one that it is joined with or reads may be meant. */
  #isTouched({ account, relation }: Question): boolean {
    return this.#touched.some(
      (touched) =>
        (touched.account === undefined || touched.account === account.name) &&
        (touched.relation === undefined ||
          [relation.name, relation.beneath].includes(touched.relation) ||
          (relation.table === "children" && touched.relation === `${relation.schema}.parents`)),
    );
  }

  #token({ name }: Account, isAgent: boolean): Promise<string> {
    const { gateway } = this.#options;
    const key = `${name} ${isAgent}`;
    const token = this.#tokens.get(key) ?? (isAgent ? agentToken(gateway, name, "", 7200) : gateway.token(name, 7200));
    this.#tokens.set(key, token);
    return token;
  }

  async #send(account: Account, path: string, body?: object | string) {
    const { gateway } = this.#options;
    const headers: Record<string, string> = {};
    if (account.name !== "anonymous") {
      const isAgent = path.startsWith("/mcp/");
      if (isAgent) headers["Accept"] = "application/json, text/event-stream";
      headers["Authorization"] = `Bearer ${await this.#token(account, isAgent)}`;
    }
    if (body) headers["Content-Type"] = typeof body === "string" ? "text/xml" : "application/json";
    const response = await fetch(gateway.baseUrl + path, {
      headers,
      ...(body && { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString("utf8");
    if ([503, 504, 429].includes(response.status)) throw new Busy(text);
    return { status: response.status, text, bytes };
  }
}

function told(answer: unknown): string {
  return (typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "undefined")).slice(0, 1500);
}
