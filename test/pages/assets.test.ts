import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { assets } from "../../server/kernel/http/assets.ts";

const SCRIPT = "export const word = 'Portolan';\n".repeat(1000);

describe("files that pages load", () => {
  let folder: string;
  let server: Server;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "portolan-assets-"));
    writeFileSync(join(folder, "main.js"), SCRIPT);
    writeFileSync(join(folder, "short.js"), "export {};\n");
    writeFileSync(join(folder, ".hidden.js"), SCRIPT);
    const { GET } = assets("/*", "", folder).handlers;
    server = createServer((asked, response) => {
      Promise.resolve(GET!(asked, response, { "*": asked.url!.slice(1) })).catch(() => response.writeHead(404).end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function get(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") {
    const { port } = server.address() as AddressInfo;
    const asked = request({ port, host: "127.0.0.1", path, method, headers, agent: false }).end();
    const [answer] = await once(asked, "response");
    return {
      status: answer.statusCode as number,
      headers: answer.headers as IncomingHttpHeaders,
      body: await buffer(answer),
    };
  }

  for (const [accepted, encoding, decoded] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip;q=0", undefined, (body: Buffer) => body],
    ["identity", undefined, (body: Buffer) => body],
  ] as const)
    it(`are the same text for a browser that takes ${accepted}`, async () => {
      const { status, headers, body } = await get("/main.js", { "accept-encoding": accepted });
      assert.deepEqual([status, headers["content-encoding"], decoded(body).toString()], [200, encoding, SCRIPT]);
      assert.deepEqual(
        [headers["content-type"], headers["cache-control"], headers["vary"], Number(headers["content-length"])],
        ["text/javascript; charset=utf-8", "public, max-age=3600", "Accept-Encoding", body.length],
      );
      if (encoding) assert.ok(body.length < SCRIPT.length / 10, `${body.length} bytes`);
    });

  it("have one tag in every encoding, by which a browser asks whether they have changed", async () => {
    const [plain, encoded] = [await get("/main.js"), await get("/main.js", { "accept-encoding": "br" })];
    const tag = encoded.headers["etag"]!;
    assert.deepEqual([tag, encoded.headers["last-modified"]], [plain.headers["etag"], plain.headers["last-modified"]]);
    const same = await get("/main.js", { "accept-encoding": "br", "if-none-match": tag });
    assert.deepEqual([same.status, same.body.length], [304, 0]);
    writeFileSync(join(folder, "main.js"), SCRIPT.toUpperCase());
    utimesSync(join(folder, "main.js"), new Date(), new Date(Date.now() + 5000));
    const changed = await get("/main.js", { "accept-encoding": "br", "if-none-match": tag });
    assert.equal(changed.status, 200);
    const fresh = await get("/main.js", { "accept-encoding": "br" });
    assert.equal(brotliDecompressSync(fresh.body).toString(), SCRIPT.toUpperCase());
  });

  it("come in parts, as a head alone, and short ones as they are", async () => {
    const part = await get("/main.js", { "accept-encoding": "br", range: "bytes=0-5" });
    assert.deepEqual([part.status, part.body.toString().toLowerCase()], [206, "export"]);
    const head = await get("/main.js", { "accept-encoding": "br" }, "HEAD");
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    const short = await get("/short.js", { "accept-encoding": "br" });
    assert.deepEqual([short.status, short.body.toString()], [200, "export {};\n"]);
  });

  it("are those of the folder alone, and none that begins with a dot", async () => {
    for (const path of ["/.hidden.js", "/../main.js", "/nothing.js", "/.", "/"])
      assert.equal((await get(path, { "accept-encoding": "br" })).status, 404, path);
  });
});
