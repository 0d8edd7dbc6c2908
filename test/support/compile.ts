/** The compiler of TypeScript, as for a user's program. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const TSC = new URL("../../node_modules/typescript-7/bin/tsc", import.meta.url).pathname;

/** The output of tsc --strict for the files; empty if there is none. */
export function compile(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "portolan-types-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const names = Object.keys(files).map((name) => join(folder, name));
    execFileSync(
      process.execPath,
      [
        TSC,
        "--strict",
        "--noEmit",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--allowImportingTsExtensions",
        ...names,
      ],
      { cwd: folder, encoding: "utf8", stdio: "pipe" },
    );
    return "";
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
