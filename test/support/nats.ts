/** NATS servers for tests, and a proxy that cuts, stops or falsifies a connection to one. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findNatsServer } from "../../server/setup/programs.mjs";
import { freePort } from "./freePort.ts";
import { until } from "./until.ts";

export class NatsServer implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "portolan-nats-"));
  readonly #config: string;
  readonly #jetstream: boolean;
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number, config: string, jetstream: boolean) {
    this.port = port;
    this.#config = config;
    this.#jetstream = jetstream;
  }

  /** `config`: lines of its configuration. */
  static async start({ config = "", jetstream = true, port = 0 } = {}): Promise<NatsServer> {
    const server = new NatsServer(port || (await freePort()), config, jetstream);
    await server.start();
    return server;
  }

  /** Servers that share streams, each on its own disk. */
  static async cluster(size: number): Promise<NatsServer[]> {
    const routes: number[] = [];
    for (let n = 0; n < size; n++) routes.push(await freePort());
    const all = routes.map((route) => `nats://127.0.0.1:${route}`).join(", ");
    return Promise.all(
      routes.map((route, n) =>
        NatsServer.start({
          config: `server_name: n${n}\ncluster {\n name: all\n listen: "127.0.0.1:${route}"\n routes: [${all}]\n}\n`,
        }),
      ),
    );
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts it again with what it has stored. */
  async start(): Promise<void> {
    const file = join(this.#folder, "config");
    const streams = this.#jetstream ? `jetstream {\n store_dir: "${this.#folder}"\n}\n` : "";
    writeFileSync(file, `${/jetstream *[{:]/.test(this.#config) ? "" : streams}${this.#config}`);
    const program = findNatsServer() ?? "nats-server";
    this.#child = spawn(program, ["-a", "127.0.0.1", "-p", String(this.port), "-c", file], { stdio: "ignore" });
    await until(() => isOpen(this.port));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A proxy to a server of any kind, which can be cut: then nothing passes, without a sign. */
export class Way implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Changes the server's first message. */
  readonly #greeting: (text: string) => string;
  isCut = false;

  private constructor(server: Server, greeting: (text: string) => string) {
    this.#server = server;
    this.#greeting = greeting;
  }

  /** `target`: a port of this machine, or the path of a socket. */
  static async to(target: number | string, greeting: (text: string) => string = (text) => text): Promise<Way> {
    const server = createServer();
    const way = new Way(server, greeting);
    server.on("connection", (near) =>
      way.#join(near, typeof target === "number" ? connect(target, "127.0.0.1") : connect(target)),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return way;
  }

  /** A proxy to the PostgreSQL of a connection string. */
  static toPostgres(connectionString: string): Promise<Way> {
    const { host, port } = new pg.Client(connectionString);
    return Way.to(host.startsWith("/") ? `${host}/.s.PGSQL.${port}` : port);
  }

  /** A connection string that leads through this proxy. */
  leadsTo(connectionString: string): string {
    const { user, password, database } = new pg.Client(connectionString);
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Bytes on their way are lost with the connections, which nobody closes, as when a network fails. */
  cut(): void {
    this.isCut = true;
    this.stall();
  }

  /** Existing connections hang without a sign, as when a firewall has dropped them; new ones pass. */
  stall(): void {
    for (const socket of this.#sockets) socket.pause().removeAllListeners("data");
  }

  heal(): void {
    this.isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(near: Socket, far: Socket): void {
    let greeted = false;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => undefined); // it closes, too
      from.once("close", () => {
        this.#sockets.delete(from);
        if (!this.isCut) to.destroy();
      });
      if (this.isCut) from.pause();
      else
        from.on("data", (data: Buffer) => {
          const isGreeting = from === far && !greeted;
          greeted ||= isGreeting;
          to.write(isGreeting ? this.#greeting(data.toString("latin1")) : data);
        });
    }
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}
