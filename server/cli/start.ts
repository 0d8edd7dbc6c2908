import type { Command } from "commander";
import type { Gateway } from "../main.ts";
import { print } from "./command.ts";
import { readConfig } from "./databases.ts";

export function addStartCommand(program: Command): void {
  program.command("start").description("start the gateway").action(start);
}

async function start(): Promise<void> {
  // Grafast asks for it when it is loaded; no other command needs the doors, so that only this one loads them
  process.env["GRAPHILE_ENV"] ??= "production"; // eslint-disable-line no-restricted-properties
  const { startGateway } = await import("../main.ts");
  const { createLog } = await import("../kernel/log.ts");
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const { stop, isStopping } = listenForSignals();
  const starting = startGateway(config, log);
  const gateway = await Promise.race([starting, stop]);
  if (typeof gateway === "string") {
    // nothing was served yet; what the start has opened by now ends with it, or with this process
    await Promise.race([
      starting.then((started) => started.close()),
      new Promise((resolve) => setTimeout(resolve, 5000)),
    ]);
    process.exit(0);
  }
  welcome(gateway);
  log.info({ baseUrl: gateway.baseUrl, databases: gateway.databases.map(({ name }) => name) }, "ready");
  const reason = await Promise.race([stop, gateway.failed.then((text) => `the private PostgreSQL ended: ${text}`)]);
  log.info({ reason }, "stopping");
  await gateway.close();
  log.info("stopped");
  process.exitCode = isStopping() ? 0 : 1;
}

/** A Ctrl-C in the terminal of `npm start` comes twice: from the terminal, and from npm, which hands it on. */
const SAME_SIGNAL_MS = 1000;

/** SIGTERM and SIGINT promise an end within 10 s, and so does the end of npm; a second Ctrl-C does not wait. */
function listenForSignals(): { readonly stop: Promise<string>; isStopping(): boolean } {
  let stoppingSince: number | undefined;
  const stop = new Promise<string>((resolve) => {
    const end = (reason: string): void => {
      if (stoppingSince !== undefined) return;
      stoppingSince = performance.now();
      setTimeout(() => process.exit(1), 9_500).unref();
      resolve(reason);
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", (signal) => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(130);
      end(signal);
    });
    if (process.env["npm_lifecycle_event"] !== undefined) whenParentIsGone(() => end("npm is gone")); // eslint-disable-line no-restricted-properties
  });
  return { stop, isStopping: () => stoppingSince !== undefined };
}

/** npm that is killed hands no signal on. Whoever starts the command by itself may leave it behind. */
function whenParentIsGone(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 1000).unref();
}

function welcome({ baseUrl, databases, sleepers, demo }: Gateway): void {
  process.stdout.cork(); // written at once: who waits for the address has the rest too
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
  if (sleepers > 0) print(`  ${sleepers} databases, asleep until somebody asks`);
  print(`\n  Events      ${baseUrl.replace(/^http/, "ws")}/?token=…, or ${baseUrl}/events`);
  if (demo) {
    print(`\nSign-ins of the demo${demo.fresh ? " (made just now)" : ""}:`);
    print(`  captain   ${demo.signIns.captain}   super user`);
    print(`  guest     ${demo.signIns.guest}   reads part of it`);
    print(`\nA token: npx portolan token captain\nThe database: npx portolan psql\n`);
  }
  process.stdout.uncork();
}
