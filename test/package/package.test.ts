import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TSC } from "../support/compile.ts";
import { testDatabase } from "../support/databases.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("the npm package, in an empty folder", function () {
  this.timeout(300_000);
  let folder: string;
  /** A copy, since others import the source from the place of the build. */
  let checkout: string;
  const npm = (args: readonly string[], cwd: string): string =>
    execFileSync("npm", [...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "portolan-package-"));
    chmodSync(folder, 0o755);
    checkout = join(folder, "checkout");
    mkdirSync(checkout);
    for (const name of readdirSync(ROOT))
      if (!["node_modules", "dist", ".git", ".portolan"].includes(name))
        cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
    execFileSync(process.execPath, ["server/setup/setup.mjs", "--source"], { cwd: checkout });
    npm(["pack", "--silent", "--pack-destination", folder], checkout);
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
    npm(
      ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", `./portolan-${version}.tgz`],
      folder,
    );
    cpSync(join(import.meta.dirname, "consumer"), folder, { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program of the folder until it prints an address. */
  async function started(command: string, args: readonly string[], env: Record<string, string>) {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...programEnv(), GRAPHILE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const found = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(output)?.[0];
        if (found) resolve(found);
      });
      void ended.then(() => reject(new Error(`it ended: ${output}`)));
    });
    return {
      url,
      output: () => output,
      async stop() {
        child.kill("SIGTERM");
        return ended;
      },
    };
  }

  it("has types that a strict program compiles with", () => {
    const compile = (files: readonly string[], skipLibCheck: boolean): void => {
      const options = {
        module: "nodenext",
        target: "es2024",
        strict: true,
        noEmit: true,
        skipLibCheck,
        types: ["node"],
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
      execFileSync(process.execPath, [TSC, "-p", folder], { stdio: "pipe" });
    };
    compile(["server.ts"], true);
    compile(["configured/graphile.config.ts"], true); // which imports nothing of PostGraphile
    compile(["doors.ts"], false);
  });

  it("has the text of its licence", () => {
    assert.match(readFileSync(join(folder, "node_modules/portolan/LICENSE"), "utf8"), /^MIT License\n/);
  });

  it("has the client of stored methods, and leaves the checkout as it was", () => {
    const names = 'import("portolan/client").then((client) => console.log(Object.keys(client).join()))';
    for (const cwd of [folder, checkout])
      assert.equal(
        execFileSync(process.execPath, ["-e", names], { cwd, encoding: "utf8" }),
        "RpcError,createClient,createSocketClient\n",
      );
    assert.match(readFileSync(join(checkout, "dist/server/methods/client.js"), "utf8"), /client\.ts/);
  });

  it("adds the API to a PostGraphile server, next to the team's smart tags and fields", async () => {
    const database = await testDatabase();
    await database.client.query(`
create schema app;
create table app.ships (id int primary key, name text not null);
create table app.secrets (id int primary key);
insert into app.ships values (1, 'Argo');`);
    const server = await started(process.execPath, ["server.ts"], { DATABASE_URL: database.url });
    try {
      const ask = async (query: string): Promise<unknown> => {
        const response = await fetch(server.url, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ query }),
        });
        return response.json();
      };
      assert.deepEqual(await ask('{ motto getVessels(where: {name: {like: "A%"}}) { id name } countVessels }'), {
        data: { motto: "Fluctuat nec mergitur", getVessels: [{ id: "1", name: "Argo" }], countVessels: 1 },
      });
      assert.deepEqual(await ask('mutation { insertVessels(data: {id: 2, name: "Swan"}) { name } }'), {
        data: { insertVessels: [{ name: "Swan" }] },
      });
      assert.match(JSON.stringify(await ask("{ getSecrets { id } }")), /Cannot query field/);
    } finally {
      await server.stop();
      await database.drop();
    }
  });

  it("has a command that starts the demo", async () => {
    const gateway = await started(process.execPath, [join(folder, "node_modules/.bin/portolan"), "start"], {
      PORT: "0",
    });
    try {
      assert.equal((await fetch(new URL("/readyz", gateway.url))).status, 200);
      assert.match(await (await fetch(new URL("/", gateway.url))).text(), /world/);
      assert.equal((await fetch(new URL("/assets/portolan.css", gateway.url))).status, 200);
      await until(() => /captain +\w{20}/.test(gateway.output()));
    } finally {
      assert.equal(await gateway.stop(), 0);
    }
  });
});
