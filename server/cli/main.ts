#!/usr/bin/env node
/** `portolan …`: the gateway's commands for operators. */
import { run } from "./run.ts";

// the reader of the output may close it early, as `head` does
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
await run(process.argv.slice(2));
