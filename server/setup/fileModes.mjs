// Gives the files of `npm pack` the modes that git records. A checkout's modes depend on the umask of its user, and npm
// keeps them, so equal sources would give different packages.

import { chmodSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const checkout = path.resolve(import.meta.dirname, "../..");
const { files } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8"));

for (const name of ["package.json", "README.md", ...files.filter((entry) => !entry.startsWith("!"))]) {
  const packed = path.join(checkout, name);
  const below = statSync(packed).isDirectory() ? readdirSync(packed, { recursive: true }) : [""];
  for (const file of below.map((place) => path.join(packed, place))) {
    const { mode } = statSync(file);
    const wanted = mode & 0o100 ? 0o755 : 0o644;
    if ((mode & 0o777) !== wanted) chmodSync(file, wanted);
  }
}
