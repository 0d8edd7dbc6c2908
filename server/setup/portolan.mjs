#!/usr/bin/env node
// The command `portolan`. Plain JavaScript that any Node can read, so that one that is too old gets a sentence.
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`portolan: needs Node 22.18 or later; this is ${process.versions.node}\n`);
  process.exit(1);
}
module.enableCompileCache?.(); // a command takes half of the time when its code is read as it was compiled before
const built = new URL("../../dist/server/cli/main.js", import.meta.url);
await import(
  existsSync(fileURLToPath(built)) && !existsSync(new URL("../cli/main.ts", import.meta.url))
    ? built.href
    : "../cli/main.ts"
);
