#!/usr/bin/env node
// The command `portolan`. Plain JavaScript that any Node can read, so that an outdated Node gets a clear message.
import module from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { programOf } from "./program.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`portolan: needs Node 22.18 or later; this is ${process.versions.node}\n`);
  process.exit(1);
}
// A command starts in half the time when its compiled code is cached. The default cache is below /tmp, where others on
// the machine can write. If this folder is not ours to write, nothing is cached.
module.enableCompileCache?.(fileURLToPath(new URL("../../node_modules/.cache/portolan", import.meta.url)));
const program = programOf(fileURLToPath(new URL("../..", import.meta.url)));
await import(program === undefined ? "../cli/main.ts" : pathToFileURL(program).href);
