// `npm run dev`: restarts the gateway after each change. Node's own --watch loses a file that an editor replaces.

import { spawn } from "node:child_process";
import { watch } from "chokidar";

const WATCHED = ["server", "plugins", "ogc", "sql"];
const SETTLED_MS = 100;

let child = start();
let restarting;
let ending = false;

function start() {
  const gateway = spawn(process.execPath, ["--stack-size=3900", "server/cli/main.ts", "start"], { stdio: "inherit" });
  gateway.once("exit", (code) => {
    if (ending) process.exit(code ?? 1);
  });
  return gateway;
}

function restart() {
  if (ending) return;
  if (child.exitCode !== null || child.signalCode !== null) {
    child = start();
    return;
  }
  if (child.killed) return;
  child.once("exit", () => {
    if (!ending) child = start();
  });
  child.kill("SIGTERM");
}

function end(signal) {
  ending = true;
  if (child.exitCode !== null || child.signalCode !== null) process.exit(0);
  child.kill(signal);
}

// A change that happens while the gateway ends is in the next start.
watch([...WATCHED, "graphile.config.ts"], { ignoreInitial: true }).on("all", () => {
  clearTimeout(restarting);
  restarting = setTimeout(restart, SETTLED_MS);
});
process.on("SIGTERM", end);
process.on("SIGINT", end);
const parent = process.ppid;
setInterval(() => process.ppid !== parent && end("SIGTERM"), 1000).unref();
