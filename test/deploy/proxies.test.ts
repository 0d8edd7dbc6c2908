/**
 * The files for nginx and HAProxy in `deploy/`, run before a gateway as written: only addresses and file names differ.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProxies } from "../../server/setup/programs.mjs";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { freePort } from "../support/freePort.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const programs = findProxies();
const RATE_LIMIT = 60;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Proxy {
  readonly name: "haproxy" | "nginx";
  readonly example: string;
  /** Settings to run it in a folder of the test and in the foreground. */
  args(folder: string): readonly string[];
  /** The text around the example, with the test's own addresses. */
  wrap(example: string, folder: string): string;
}

const PROXIES: readonly Proxy[] = [
  {
    name: "nginx",
    example: "nginx/portolan.conf",
    args: (folder) => ["-p", folder, "-e", "error.log", "-c", join(folder, "proxy.conf")],
    wrap: (example, folder) => `
daemon off; pid nginx.pid; worker_processes 1; error_log error.log;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`).join(" ")}
${example}
}`,
  },
  {
    name: "haproxy",
    example: "haproxy/haproxy.cfg",
    args: (folder) => ["-db", "-f", join(folder, "proxy.conf")],
    wrap: (example) => example,
  },
];

for (const { name, example, args, wrap } of PROXIES)
  describeOnlyIf(programs !== undefined, name)(`deploy: ${name}`, () => {
    let gateway: TestGateway;
    let proxy: ChildProcess;
    let folder: string;
    let port: number;
    let certificate: Buffer;
    let said = "";

    before(async () => {
      port = await freePort();
      folder = mkdtempSync(join(tmpdir(), `portolan-${name}-`));
      mkdirSync(join(folder, "logs"));
      execFileSync(
        "openssl",
        "req -x509 -newkey rsa:2048 -nodes -keyout tls.key -out tls.crt -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -days 2".split(" "), // oxfmt-ignore
        { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
      );
      certificate = readFileSync(join(folder, "tls.crt"));
      writeFileSync(join(folder, "tls.pem"), Buffer.concat([certificate, readFileSync(join(folder, "tls.key"))]));
      const [own, nobody] = [await freePort(), await freePort()];
      const baseUrl = `https://127.0.0.1:${port}/data`;
      gateway = await testGateway({
        config: { port: own, baseUrl, trustedProxies: ["127.0.0.1"], rateLimit: RATE_LIMIT },
      });
      const changes = {
        "10.0.0.11:7575": `127.0.0.1:${own}`,
        "10.0.0.12:7575": `127.0.0.1:${nobody}`, // one of the two is down
        "bind :443": `bind 127.0.0.1:${port}`,
        "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
        "/etc/ssl/portolan.crt": join(folder, "tls.crt"),
        "/etc/ssl/portolan.key": join(folder, "tls.key"),
        "/etc/ssl/portolan.pem": join(folder, "tls.pem"),
      };
      const text = Object.entries(changes).reduce(
        (sofar, [from, to]) => sofar.replaceAll(from, to),
        readFileSync(join(DEPLOY, example), "utf8"),
      );
      writeFileSync(join(folder, "proxy.conf"), wrap(text, folder));
      proxy = spawn(programs![name], args(folder), { stdio: ["ignore", "pipe", "pipe"] });
      for (const stream of [proxy.stdout, proxy.stderr])
        stream?.setEncoding("utf8").on("data", (words: string) => (said += words));
      await until(
        async () => {
          assert.equal(proxy.exitCode, null, said);
          return (await ask("/ping").catch(() => undefined))?.status === 200;
        },
        undefined,
        () => said,
      );
    });

    after(async () => {
      proxy?.kill();
      if (proxy?.exitCode === null) await once(proxy, "close");
      await gateway?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Sends a request from a loopback address, with headers. `path` is that below /data. */
    function ask(
      path: string,
      from = "127.0.0.9",
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const sent = request(
          { host: "127.0.0.1", port, path: `/data${path}`, ca: certificate, agent: false, localAddress: from, headers, method: body === undefined ? "GET" : "POST" }, // oxfmt-ignore
          (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (part: string) => (text += part));
            response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
            response.on("error", reject);
          },
        );
        sent.on("error", reject);
        sent.end(body);
      });
    }

    it("serves below the path, and links lead there", async () => {
      const root = `/api/v4/ogc/database/${gateway.database.name}`;
      const { status, text } = await ask(root);
      assert.equal(status, 200, text);
      const { links } = JSON.parse(text) as { links: { href: string }[] };
      for (const { href } of links) assert.ok(href.startsWith(`https://127.0.0.1:${port}/data/`), href);
      const page = await ask("/");
      assert.match(page.text, /href="\.\/assets\//); // relative, so that the slash must be there
      for (const [query, location] of [
        ["", "/data/"],
        ["?a=1&b=2", "/data/?a=1&b=2"],
      ]) {
        const { status, headers } = await ask(query!);
        assert.deepEqual([status, headers["location"]?.toString().replace(/^https:\/\/[^/]+/, "")], [308, location]);
      }
    });

    it("leaves the path as the client wrote it", async () => {
      const { status, text } = await ask(`/api/v4/users/${encodeURIComponent("a/b ü")}`, undefined, {
        Authorization: `Bearer ${await gateway.token("captain")}`,
      });
      assert.equal(status, 404);
      assert.match(text, /a\/b ü/);
    });

    it("takes filters of 40 kB and bodies of 5 MB", async () => {
      const root = `/api/v4/ogc/database/${gateway.database.name}/collections/world.countries/items`;
      const filter = encodeURIComponent(
        `name in (${Array.from({ length: 400 }, (_, n) => `'${"c".repeat(100)}${n}'`).join()})`,
      );
      assert.ok(filter.length > 40_000);
      const { status, text } = await ask(`${root}?limit=1&filter=${filter}`);
      assert.equal(status, 200, text);
      assert.deepEqual([status, JSON.parse(text).numberReturned], [200, 0]);
      const tooLarge = await ask(
        "/api/graphql/schema/world",
        undefined,
        { Authorization: `Bearer ${await gateway.token("captain")}`, "Content-Type": "application/json" },
        "x".repeat(5_000_000),
      );
      assert.equal(tooLarge.status, 413); // the gateway's own word
      assert.match(tooLarge.text, /request body/);
    });

    it("opens WebSockets, and events come over them", async () => {
      await gateway.database.client.query("select portolan.enable_events('world.cities')");
      const token = await gateway.token("captain");
      const open = (path: string) =>
        new SocketClient(`wss://127.0.0.1:${port}${path}?token=${token}`, [], { ca: certificate }).opened();
      (await open("/data")).webSocket.close();
      const socket = await open("/data/");
      socket.send({
        type: "subscribe",
        id: "s",
        schema: "world",
        query: "subscription { CitiesMessageUpdated { name } }",
      });
      await socket.take("subscribe_ack");
      await gateway.database.client.query("update world.cities set name = name || '!' where id = 1");
      assert.match(JSON.stringify(await socket.take((message) => message.id === "s" && message.type !== "subscribe_ack")), /!/); // oxfmt-ignore
      socket.webSocket.close();
      await socket.closed;
    });

    it("gives the gateway the client's address, whatever the client claims", async () => {
      const forged = { Forwarded: "for=192.0.2.1", "X-Forwarded-For": "192.0.2.1" };
      const statuses: number[] = [];
      for (let n = 0; n <= RATE_LIMIT; n++)
        statuses.push((await ask(`/api/v4/oauth/jwks`, "127.0.0.7", { ...forged, "X-Forwarded-For": `192.0.2.${n}` })).status); // oxfmt-ignore
      assert.equal(statuses.at(-1), 429);
      assert.ok(
        statuses.slice(0, 40).every((status) => status === statuses[0] && status !== 429),
        statuses.join(),
      );
      assert.notEqual((await ask(`/api/v4/oauth/jwks`, "127.0.0.8", forged)).status, 429);
    });
  });

describeOnlyIf(programs !== undefined, "nginx")("deploy: nginx with its own defaults", () => {
  it("passes pages of features on, whose headers fit into its 4 kB", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-nginx-"));
    const [port, own] = [await freePort(), await freePort()];
    const gateway = await testGateway({
      config: { port: own, baseUrl: "https://geodata.department.example.org/portolan" },
    });
    const nginx = PROXIES.find(({ name }) => name === "nginx")!;
    writeFileSync(
      join(folder, "proxy.conf"),
      nginx.wrap(`server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${own}; } }`, folder),
    );
    const proxy = spawn(programs!.nginx, nginx.args(folder), { stdio: "ignore" });
    try {
      const root = `http://127.0.0.1:${port}/api/v4/ogc/database/${gateway.database.name}`;
      const links = async (path: string): Promise<string> => {
        const { status, headers } = await fetch(`${root}${path}`);
        assert.equal(status, 200, path);
        return headers.get("link") ?? "";
      };
      await until(() => fetch(root).then(() => true, () => false)); // oxfmt-ignore
      assert.match(await links(""), /rel="service-desc".*rel="conformance".*rel="data"/);
      assert.match(await links("/collections/world.countries"), /rel="items"/);
      const filter = encodeURIComponent("name <> 'Atlantis' and name <> 'Lemuria'");
      const page = `/collections/world.countries/items?limit=1&bbox=-10,30,40,70&filter=${filter}`;
      for (const format of ["json", "csv"]) assert.match(await links(`${page}&f=${format}`), /rel="next"/, format);
      await links(`${page}&f=html`);
    } finally {
      proxy.kill();
      if (proxy.exitCode === null) await once(proxy, "close");
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
