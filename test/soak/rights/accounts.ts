/** Accounts that come and go under load, their passwords, and the tokens that end with both. */
import { decodeJwt } from "jose";
import type { Random } from "../../support/random.ts";
import type { TestDatabase } from "../../support/databases.ts";
import { signInAs } from "../../support/gateway.ts";
import { COMING, PROMISE_MS, STEADY, TABLES, kindOf, type Account, type Rights, type Token } from "./model.ts";

const TOKENS_OF_ACCOUNT = 2;

/** Valid tokens, and tokens that ended a moment ago. */
export class Tokens {
  readonly #database: TestDatabase;
  readonly #baseUrl: string;
  readonly list: Token[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(database: TestDatabase, baseUrl: string) {
    this.#database = database;
    this.#baseUrl = baseUrl;
  }

  async signIn(account: Account, count = TOKENS_OF_ACCOUNT): Promise<void> {
    for (let n = 0; n < count; n++) {
      const text = await signInAs(this.#database, this.#baseUrl, account);
      this.list.push({ text, account, family: String(decodeJwt(text)["fam"]) });
    }
  }

  /** A valid one if there is one. */
  of(account: Account): Token {
    return this.list.findLast((token) => token.account === account && isGood(token)) ?? this.#lastOf(account);
  }

  #lastOf(account: Account): Token {
    return this.list.findLast((token) => token.account === account)!;
  }

  /** One after another: a token that is signed while its account changes is none. */
  alone(step: () => Promise<void>): Promise<void> {
    const done = this.#running.then(step);
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Ends the oldest one of an account that stays, after making a new one. */
  async endOldest(): Promise<void> {
    const token = this.list.find((each) => isGood(each) && STEADY.includes(each.account))!;
    await this.signIn(token.account, 1);
    await this.#end([token], () =>
      this.#database.client.query("select portolan.revoke_family($1, 'portolan-cli')", [token.family]),
    );
  }

  /** All that the account has end with the change. */
  endAll(account: Account, change: () => Promise<unknown>): Promise<void> {
    return this.#end(
      this.list.filter((token) => token.account === account && isGood(token)),
      change,
    );
  }

  async #end(tokens: readonly Token[], change: () => Promise<unknown>): Promise<void> {
    for (const token of tokens) token.endedFrom = performance.now();
    await change();
    for (const token of tokens) token.endedTo = performance.now();
    for (const { endedTo } of [...this.list]) {
      if (endedTo === undefined || endedTo + 3 * PROMISE_MS > performance.now()) continue;
      const over = this.list.findIndex((token) => token.endedTo === endedTo);
      // the last one of an account stays, so that somebody may ask with it
      if (this.list.filter(({ account }) => account === this.list[over]!.account).length > 1) this.list.splice(over, 1);
    }
  }
}

export const isGood = ({ endedFrom }: Token): boolean => endedFrom === undefined;

export interface AccountsOptions {
  readonly database: TestDatabase;
  readonly rights: Rights;
  readonly tokens: Tokens;
  readonly random: Random;
  /** Runs a statement, again where others were in its way. */
  readonly run: (text: string) => Promise<void>;
}

/** What happens to accounts. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #here = new Set<Account>();
  /** Nobody may ever be shown one. */
  readonly passwords: string[] = [];
  readonly counts = { made: 0, dropped: 0, passwords: 0, logins: 0 };

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  async next(): Promise<void> {
    const { random } = this.#options;
    const account = random.of(COMING);
    const what = random.of(["come or go", "come or go", "password", "login"] as const);
    if (what === "come or go") await (this.#here.has(account) ? this.#drop(account) : this.#make(account));
    else if (what === "password") await this.#changePassword(random.of(STEADY));
    else await this.#spoilLogin(random.of(STEADY));
  }

  /** All rights are new ones: nothing is left of the account that had the name before. */
  async #make(account: Account): Promise<void> {
    const { database, rights, run, tokens } = this.#options;
    await run(`select portolan.create_user('${account}', null, properties => '{"kind": ${kindOf(account)}}')`);
    for (const table of TABLES)
      await rights.tables[table].grants[account].set(2, () =>
        run(`grant select on ${table} to "${account}@${database.name}"`),
      );
    await tokens.signIn(account);
    this.#here.add(account);
    this.counts.made++;
  }

  async #drop(account: Account): Promise<void> {
    const { rights, run, tokens } = this.#options;
    this.#here.delete(account);
    let change = (): Promise<void> => run(`select portolan.drop_user('${account}')`);
    for (const timeline of [...TABLES.map((table) => rights.tables[table].grants[account])]) {
      const inner = change;
      change = () => timeline.set(0, inner);
    }
    await tokens.endAll(account, () => rights.members[account].set(false, change));
    this.counts.dropped++;
  }

  /** Ends the tokens of the account. */
  async #changePassword(account: Account): Promise<void> {
    const { run, tokens, random } = this.#options;
    const password = `a password ${random.below(1e9)} of ${account}`;
    this.passwords.push(password);
    await tokens.endAll(account, () => run(`select portolan.update_user('${account}', '{"password": "${password}"}')`));
    await tokens.signIn(account);
    this.counts.passwords++;
  }

  /** Somebody has set the password of the role: the gateway sets it back, and nobody notices. */
  async #spoilLogin(account: Account): Promise<void> {
    const { database, run, random } = this.#options;
    await run(`alter role "${account}@${database.name}" password 'spoilt ${random.below(1e9)}'`);
    this.counts.logins++;
  }
}
