import type { Command } from "commander";
import { availableParallelism } from "node:os";
import type { Config } from "../kernel/config.ts";
import { localName } from "../kernel/http/localName.ts";
import type { Log } from "../ground/log.ts";
import type { Gateway } from "../main.ts";
import { counted, print } from "./command.ts";
import { readConfig } from "./databases.ts";
import type { ToPrimary } from "./worker.ts";
import type { Workers } from "./workers.ts";

export function addStartCommand(program: Command): void {
  program.command("start").description("start the gateway").action(start);
}

async function start(): Promise<void> {
  // Grafast reads it when it is loaded; only this command loads the doors
  process.env["GRAPHILE_ENV"] ??= "production"; // oxlint-disable-line no-restricted-properties
  const { createLog } = await import("../ground/log.ts");
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const { default: cluster } = await import("node:cluster");
  if (cluster.isWorker)
    return work(config, log).catch((error: unknown) => {
      process.channel?.unref(); // nothing else keeps it alive: it reports why, and ends
      throw error;
    });
  const { workerCount, startWorkers } = await import("./workers.ts");
  if (workerCount(config) > 1) {
    const starting = startWorkers(config, log);
    const end = (workers: Workers): Promise<void> => workers.close();
    return serve(starting, { end, gatewayOf: ({ gateway }) => gateway, log });
  }
  const { startGateway } = await import("../main.ts");
  const end = (gateway: Gateway): Promise<void> => gateway.close();
  await serve(startGateway(config, log), { end, gatewayOf: (gateway) => gateway, log });
}

interface Served<T> {
  readonly log: Log;
  gatewayOf(started: T): Pick<Gateway, "baseUrl" | "databases" | "sleepers" | "demo">;
  end(started: T): Promise<void>;
}

/** Serves until a signal comes, or PostgreSQL ends. */
async function serve<T extends Pick<Gateway, "failed"> & Partial<Pick<Workers, "replace" | "isPrivate">>>(
  starting: Promise<T>,
  { end, gatewayOf, log }: Served<T>,
): Promise<void> {
  const { stop, isStopping, onHangup } = listenForSignals();
  const started = await Promise.race([starting, stop]);
  if (typeof started === "string") {
    // nothing was served yet; everything that the start has opened ends with it, or with this process
    await Promise.race([starting.then(end), new Promise((resolve) => setTimeout(resolve, 5000))]);
    process.exit(0);
  }
  const gateway = gatewayOf(started);
  welcome(gateway);
  log.info({ baseUrl: gateway.baseUrl, databases: gateway.databases.map(({ name }) => name) }, "ready");
  const { replace } = started;
  if (replace && !started.isPrivate && !isInTerminal())
    onHangup(() => {
      log.info("the processes that serve are replaced");
      replace().then(
        () => log.info("replaced"),
        (error: unknown) => log.error({ err: error }, "they could not be replaced; the remaining ones continue"),
      );
    });
  const reason = await Promise.race([stop, started.failed.then((text) => `the private PostgreSQL ended: ${text}`)]);
  log.info({ reason }, "stopping");
  await end(started);
  log.info("stopped");
  process.exitCode = isStopping() ? 0 : 1;
}

/** One of several processes on the port. It serves until the process that started it tells it to end. */
async function work(config: Config, log: Log): Promise<void> {
  const { SharedHost } = await import("./worker.ts");
  const host = new SharedHost(); // from now on it reports that it is well, however long the rest takes to load
  const { startGateway } = await import("../main.ts");
  const { workerCount } = await import("./workers.ts");
  process.on("SIGINT", () => undefined); // a Ctrl-C reaches all processes; the one that started this one ends it
  process.on("SIGHUP", () => undefined);
  // systemd sends it to each process of a service, so it comes both from there and from the process that started this
  // one
  const told = new Promise<void>((resolve) => process.on("SIGTERM", () => resolve()));
  const assignment = await host.ask("begin");
  const gateway = await startGateway({ ...shareOf(config, workerCount(config)), port: assignment.port }, log, {
    ...assignment,
    host,
  });
  const { baseUrl, sleepers } = gateway;
  const plain = gateway.databases.map((one) => ({ ...one, broken: [...one.broken] }));
  process.send?.({ portolan: "ready", gateway: { baseUrl, sleepers, databases: plain } } satisfies ToPrimary);
  await told;
  await gateway.close();
  process.exit(0); // the channel to the process that started this one would keep it alive
}

/** The share of the host's limits for one of several processes. */
function shareOf(config: Config, processes: number): Config {
  const share = (all: number): number => Math.max(1, Math.floor(all / processes));
  return {
    ...config,
    mapWorkers: share(config.mapWorkers || availableParallelism()),
    mapConnections: share(config.mapConnections),
  };
}

/** On a terminal, SIGHUP means that the terminal was closed. */
function isInTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
}

/** A Ctrl-C in the terminal of `npm start` comes twice: from the terminal, and from npm, which hands it on. */
const SAME_SIGNAL_MS = 1000;

/** SIGTERM and SIGINT promise an end within 10 s, and so does the end of npm; a second Ctrl-C does not wait. */
function listenForSignals(): {
  readonly stop: Promise<string>;
  isStopping(): boolean;
  /** SIGHUP does that from now on; until then it ends the process as SIGTERM does. */
  onHangup(callback: () => void): void;
} {
  let hangup: (() => void) | undefined;
  let stoppingSince: number | undefined;
  const stop = new Promise<string>((resolve) => {
    const end = (reason: string): void => {
      if (stoppingSince !== undefined) return;
      stoppingSince = performance.now();
      setTimeout(() => process.exit(1), 9_500).unref();
      resolve(reason);
    };
    process.on("SIGTERM", end);
    process.on("SIGHUP", (signal) => (hangup ? hangup() : end(signal)));
    process.on("SIGINT", (signal) => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(130);
      end(signal);
    });
    if (process.env["npm_lifecycle_event"] !== undefined) whenParentIsGone(() => end("npm is gone")); // oxlint-disable-line no-restricted-properties
  });
  return { stop, isStopping: () => stoppingSince !== undefined, onHangup: (callback) => void (hangup = callback) };
}

/** A killed npm passes no signal on. Without npm, the command may outlive its parent. */
function whenParentIsGone(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 1000).unref();
}

function welcome({
  baseUrl,
  databases,
  sleepers,
  demo,
}: Pick<Gateway, "baseUrl" | "databases" | "sleepers" | "demo">): void {
  process.stdout.cork(); // written at once: a program that waits for the address gets the rest too
  print(`\nPortolan serves at ${baseUrl}\n`);
  for (const { name, schemas, broken } of databases) {
    print(`  ${name}\n    OGC API   ${baseUrl}/api/v4/ogc/database/${encodeURIComponent(name)}`);
    for (const schema of schemas) {
      print(`  ${name}.${schema}`);
      const reason = broken.get(schema);
      if (reason !== undefined) {
        print(`    GraphQL   cannot be built: ${reason}`);
        continue;
      }
      print(`    GraphQL   ${baseUrl}/api/graphql/schema/${encodeURIComponent(schema)}`);
      print(`    GraphiQL  ${baseUrl}/graphiql/${encodeURIComponent(schema)}`);
    }
  }
  if (sleepers > 0) print(`  ${counted(sleepers, "database")}, asleep until the first request`);
  const pages = localName(baseUrl) ?? baseUrl; // passkeys need a name
  print(`\n  Console     ${pages}/console`);
  print(`  Account     ${pages}/account`);
  print(`  Events      ${baseUrl.replace(/^http/, "ws")}/?token=…, or ${baseUrl}/events`);
  if (demo) {
    print(`\nSign-ins of the demo${demo.fresh ? " (made just now)" : ""}:`);
    print(`  captain   ${demo.signIns.captain}   super user`);
    print(`  guest     ${demo.signIns.guest}   reads part of it`);
    print(`\nA token: npx portolan token captain\nThe database: npx portolan psql\n`);
  }
  process.stdout.uncork();
}
