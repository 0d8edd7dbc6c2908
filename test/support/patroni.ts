/** Clusters of Patroni on this machine, by the files of `deploy/patroni`, each at addresses 127.x.y.* of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { accountFor, give, type Account } from "../../server/demo/cluster/place.ts";
import { findPatroni, findPostgres, findProxies } from "../../server/setup/programs.mjs";
import { programEnv } from "./programEnv.ts";
import { until } from "./until.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy/patroni");
const PATIENCE_MS = 300_000;
/** Of `patroni.yml`. */
export const DATABASE = "city";
/** Of all groups, with its password. */
export const SUPERUSER = "postgres:superuser-secret";

export interface Member {
  readonly name: string;
  /** The last part of its address. */
  readonly host: number;
  /** The group of Citus. */
  readonly group: number;
}

/** What Patroni tells of a member. */
interface Status {
  readonly state?: string;
  readonly role?: string;
  readonly sync_standby?: boolean;
}

export class PatroniCluster implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "portolan-patroni-"));
  readonly #account: Account | undefined;
  /** The first three parts of all addresses. */
  readonly #network = `127.${1 + Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`;
  readonly #processes = new Map<string, ChildProcess>();

  private constructor() {
    chmodSync(this.#folder, 0o755);
    this.#account = accountFor(this.#folder);
  }

  /** Starts etcd, without members. */
  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster();
    const [client, peer] = [2379, 2380].map((port) => `http://${cluster.#network}.11:${port}`) as [string, string];
    const data = join(cluster.#folder, "etcd");
    cluster.#spawn("etcd", findPatroni()!.etcd, [
      ...[
        "--name",
        "etcd1",
        "--data-dir",
        data,
        "--initial-cluster",
        `etcd1=${peer}`,
        "--initial-advertise-peer-urls",
        peer,
      ],
      ...["--listen-peer-urls", peer, "--listen-client-urls", client, "--advertise-client-urls", client],
    ]);
    await until(
      () => answers(`${client}/health`),
      PATIENCE_MS,
      () => cluster.log("etcd"),
    );
    return cluster;
  }

  /** Adds a member that follows the leader of its group, or makes the group. Resolves when it serves. */
  async add(member: Member): Promise<void> {
    const folder = join(this.#folder, member.name);
    mkdirSync(folder);
    give(folder, this.#account);
    const config = this.#adapt("patroni.yml")
      .replaceAll(`${this.#network}.21`, this.addressOf(member))
      .replace("name: coordinator1", `name: ${member.name}`)
      .replace("group: 0", `group: ${member.group}`)
      .replace("/usr/lib/postgresql/15/bin", findPostgres()!.bin)
      .replace("/var/lib/postgresql/15/city", join(folder, "data"))
      .replace("/var/lib/postgresql/city.pgpass", join(folder, "pgpass"))
      .replace("/var/run/postgresql", folder);
    writeFileSync(this.#configOf(member), config);
    this.start(member);
    await until(
      async () => (await this.statusOf(member))?.state === "running",
      PATIENCE_MS,
      () => this.log(member.name),
    );
  }

  /** Starts its Patroni, which starts PostgreSQL. */
  start(member: Member): void {
    this.#spawn(member.name, findPatroni()!.patroni, [this.#configOf(member)]);
  }

  /** Kills Patroni and PostgreSQL of a member at once. */
  async kill(member: Member): Promise<void> {
    const child = this.#processes.get(member.name)!;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    process.kill(
      Number(readFileSync(join(this.#folder, member.name, "data/postmaster.pid"), "utf8").split("\n")[0]),
      "SIGKILL",
    );
    await ended;
  }

  async statusOf(member: Member): Promise<Status | undefined> {
    return (await ask(`http://${this.addressOf(member)}:8008/patroni`)) as Status | undefined;
  }

  /** Of members of one group; undefined while there is none. */
  async leaderOf(members: readonly Member[]): Promise<Member | undefined> {
    for (const member of members) if (await answers(`http://${this.addressOf(member)}:8008/primary`)) return member;
    return undefined;
  }

  /** Whether the member would take over without a loss. */
  isSynchronous(member: Member): Promise<boolean> {
    return answers(`http://${this.addressOf(member)}:8008/synchronous`);
  }

  /** Asks the leader to hand over, as `patronictl switchover` does. Resolves when the other is the leader. */
  async switchOver(leader: Member, candidate: Member): Promise<void> {
    const response = await fetch(`http://${this.addressOf(leader)}:8008/switchover`, {
      method: "POST",
      body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  }

  addressOf({ host }: Member): string {
    return `${this.#network}.${host}`;
  }

  /** One connection string for all these members. */
  urlFor(members: readonly Member[], login = SUPERUSER, database = DATABASE): string {
    return `postgres://${login}@${members.map((member) => `${this.addressOf(member)}:5432`).join(",")}/${database}`;
  }

  /** Starts HAProxy, which leads to the leader of the coordinator. Gives connection strings for logins. */
  async proxy(): Promise<(login: string) => string> {
    const file = join(this.#folder, "haproxy.cfg");
    writeFileSync(file, this.#adapt("haproxy.cfg"));
    this.#spawn("haproxy", findProxies()!.haproxy, ["-db", "-f", file]);
    const url = (login: string): string => `postgres://${login}@${this.#network}.31:5000/${DATABASE}`;
    await until(
      () => isReachable(url(SUPERUSER)),
      PATIENCE_MS,
      () => this.log("haproxy"),
    );
    return url;
  }

  /** The end of the log of a member, or of etcd. */
  log(name: string): string {
    return readFileSync(join(this.#folder, `${name}.log`), "utf8").slice(-3000);
  }

  async stop(): Promise<void> {
    const order = [...this.#processes].reverse(); // etcd last
    for (const [name, child] of order) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill(name === "etcd" ? "SIGKILL" : "SIGTERM"); // Patroni ends its PostgreSQL
      await ended;
    }
    if (!process.env["TEST_LOG_LEVEL"]) rmSync(this.#folder, { recursive: true, force: true });
    else console.log(`    logs: ${this.#folder}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #configOf({ name }: Member): string {
    return join(this.#folder, `${name}.yml`);
  }

  /** A file of `deploy/patroni` with the addresses of this machine. */
  #adapt(name: string): string {
    return readFileSync(join(DEPLOY, name), "utf8")
      .replaceAll("10.0.0.0/24", "127.0.0.0/8")
      .replaceAll("10.0.0.", `${this.#network}.`);
  }

  #spawn(name: string, program: string, args: readonly string[]): void {
    const log = openSync(join(this.#folder, `${name}.log`), "a");
    const account = name === "etcd" || name === "haproxy" ? undefined : this.#account;
    this.#processes.set(
      name,
      spawn(program, args, {
        cwd: this.#folder,
        env: { ...programEnv(), LC_ALL: "C.UTF-8" },
        stdio: ["ignore", log, log],
        ...account,
      }),
    );
  }
}

async function answers(url: string): Promise<boolean> {
  return (await ask(url)) !== undefined;
}

async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // of a connection that never was
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

/** The answer of a program that may be down: undefined unless it is a success. */
async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    const text = await response.text();
    return response.ok ? (text.startsWith("{") ? JSON.parse(text) : text) : undefined;
  } catch {
    return undefined;
  }
}
