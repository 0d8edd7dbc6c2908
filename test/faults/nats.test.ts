/** NATS that cannot be used: the gateway serves, and start and doctor give the reason and the remedy. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig, makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { natsFindings, openNats } from "../../server/fleet/nats.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { freePort } from "../support/freePort.ts";
import { NatsServer, Way } from "../support/nats.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";

describe("NATS that cannot be used", () => {
  let database: TestDatabase;
  before(async () => (database = await testDatabase({ kind: "portolan" })));
  after(() => database.drop());

  /** The log of `start`, and the findings of `doctor`. */
  async function problem(env: Record<string, string>): Promise<void> {
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", ...env });
    try {
      await until(() => gateway.stdout.includes("works by itself") || gateway.stderr.includes("works by itself"));
      said = `${gateway.stdout}${gateway.stderr}`.split("\n").find((line) => line.includes("works by itself")) ?? "";
      assert.equal((await fetch(`${gateway.baseUrl}/readyz`)).status, 200);
    } finally {
      await gateway.stop();
    }
    const { natsUrl, natsCredentials } = await loadConfig({ env, directory: tmpdir() });
    const findings = await natsFindings(makeConfig({ natsUrl, natsCredentials }));
    assert.equal(
      findings.every(({ ok }) => ok),
      false,
    );
    found = findings.map(({ text }) => text).join("\n");
  }
  let said = "";
  let found = "";

  it("with a wrong password", async () => {
    await using nats = await NatsServer.start({ config: 'authorization {\n user: gateway\n password: "right"\n}\n' });
    await problem({ NATS_URL: `nats://gateway:wrong@127.0.0.1:${nats.port}` });
    for (const text of [said, found]) {
      assert.match(text, /NATS at 127\.0\.0\.1:\d+ refuses the credentials of NATS_URL or NATS_CREDENTIALS/);
      assert.doesNotMatch(text, /wrong/);
    }
    const right = makeConfig({ natsUrl: `nats://gateway:right@127.0.0.1:${nats.port}` });
    assert.ok((await natsFindings(right)).every(({ ok }) => ok));
  });

  it("that is too old", async () => {
    await using nats = await NatsServer.start();
    await using way = await Way.to(nats.port, (text) => text.replace(/"version":"[^"]+"/, '"version":"2.9.3"'));
    await problem({ NATS_URL: way.url });
    for (const text of [said, found]) assert.match(text, /is version 2\.9\.3: upgrade it to 2\.9\.4 or later/);
  });

  it("without JetStream", async () => {
    await using nats = await NatsServer.start({ jetstream: false });
    await problem({ NATS_URL: nats.url });
    for (const text of [said, found]) assert.match(text, /has no JetStream for this account.*nats-server with -js/);
  });

  it("that does not exist; the next of the list is taken", async () => {
    const port = await freePort();
    await problem({ NATS_URL: `nats://127.0.0.1:${port}` });
    for (const text of [said, found]) assert.match(text, new RegExp(`NATS at 127.0.0.1:${port} cannot be reached`));
    await using nats = await NatsServer.start();
    const config = makeConfig({ natsUrl: `nats://127.0.0.1:${port}, ${nats.url}` });
    const opened = openNats(config, createLog("silent"));
    await until(() => opened?.connection !== undefined);
    await opened?.close();
  });

  it("by TLS, with a certificate of the gateway's own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-tls-"));
    const file = (name: string): string => join(folder, name);
    const openssl = (...args: string[]): void =>
      void execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    try {
      writeFileSync(file("names"), "subjectAltName=DNS:localhost");
      openssl(..."req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=authority -days 2".split(" "));
      for (const name of ["server", "gateway"]) {
        openssl(
          ..."req -newkey rsa:2048 -nodes".split(" "),
          "-keyout",
          `${name}.key`,
          "-out",
          `${name}.csr`,
          "-subj",
          `/CN=${name}`,
        );
        openssl(
          ..."x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names".split(" "),
          "-in",
          `${name}.csr`,
          "-out",
          `${name}.pem`,
        );
      }
      await using nats = await NatsServer.start({
        config: `tls {\n cert_file: "${file("server.pem")}"\n key_file: "${file("server.key")}"\n ca_file: "${file("ca.pem")}"\n verify: true\n}\n`,
      });
      const natsUrl = `tls://localhost:${nats.port}`;
      const files = { natsTlsCa: file("ca.pem"), natsTlsCert: file("gateway.pem"), natsTlsKey: file("gateway.key") };
      assert.deepEqual(
        (await natsFindings(makeConfig({ natsUrl, ...files }))).map(({ text }) => text),
        [`NATS at localhost:${nats.port} can be used`],
      );
      assert.equal((await natsFindings(makeConfig({ natsUrl, natsTlsCa: files.natsTlsCa })))[0]?.ok, false);
      assert.equal((await natsFindings(makeConfig({ natsUrl })))[0]?.ok, false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("portolan doctor names it, with the page that says more", async () => {
    const cli = join(import.meta.dirname, "../../server/setup/portolan.mjs");
    const { stdout, status } = spawnSync(process.execPath, ["--stack-size=3900", cli, "doctor", "--json"], {
      cwd: tmpdir(),
      env: { ...programEnv(), DATABASE_URL: database.gatewayUrl, NATS_URL: `nats://127.0.0.1:${await freePort()}` },
      encoding: "utf8",
    });
    const findings = JSON.parse(stdout) as { finding: string; severity: string; page: string }[];
    const one = findings.find(({ finding }) => finding.startsWith("NATS at"));
    assert.equal(one?.severity, "warning");
    assert.equal(one?.page, "docs/guides/fleets.md#nats");
    assert.ok(readFileSync(join(import.meta.dirname, "../../docs/guides/fleets.md"), "utf8").includes("\n## NATS\n"));
    assert.equal(status, 1);
  });

  for (const [env, why] of [
    [{ NATS_URL: "http://127.0.0.1:4222" }, /NATS_URL.*must be a nats:\/\/ or tls:\/\/ address/],
    [{ NATS_URL: "nats://127.0.0.1:4222/path" }, /NATS_URL.*must have a host, and nothing after host and port/],
    [{ NATS_URL: "nats://h1:4222,nowhere" }, /NATS_URL/],
    [{ NATS_URL: "nats://h", NATS_CREDENTIALS: "/nonexistent" }, /NATS_CREDENTIALS: must name a file/],
    [{ NATS_TLS_CA: import.meta.filename }, /NATS_TLS_CA: needs NATS_URL/],
    [{ NATS_URL: "nats://h", NATS_TLS_KEY: import.meta.filename }, /NATS_TLS_CERT and NATS_TLS_KEY/],
  ] as const)
    it(`${Object.entries(env).flat().join(" ").slice(0, 60)}: the configuration is not right`, async () => {
      await assert.rejects(loadConfig({ env, directory: tmpdir() }), (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, why);
        return true;
      });
    });
});
