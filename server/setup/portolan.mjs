#!/usr/bin/env node
// The command `portolan`. Plain JavaScript that any Node can read, so that one that is too old gets a sentence.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`portolan: needs Node 22.18 or later; this is ${process.versions.node}\n`);
  process.exit(1);
}
const built = new URL("../../dist/server/cli.js", import.meta.url);
await import(
  existsSync(fileURLToPath(built)) && !existsSync(new URL("../cli.ts", import.meta.url)) ? built.href : "../cli.ts"
);
