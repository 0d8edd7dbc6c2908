/**
 * QGIS edits features. `QGIS_CHROOT`: a folder with Debian trixie and QGIS 3.40, which is made if it does not exist (as
 * root). With `QGIS_RECORD=1` the requests of QGIS are recorded for the test that sends them again.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { COLLECTION, createSurveys, EDITOR, recordRequests, type Recorded } from "../ogc/editedByQgis.ts";
import { ogcGateway, type Json, type OgcGateway } from "../ogc/support.ts";
import { formatted } from "../support/formatted.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";

const run = promisify(execFile);
const FOLDER = process.env["QGIS_CHROOT"];
const RECORDED = join(import.meta.dirname, "../ogc/qgisRequests.json");

describeOnlyIf(FOLDER !== undefined, "QGIS_CHROOT, a folder for Debian trixie")("QGIS edits features", () => {
  const folder = FOLDER!;
  let gateway: OgcGateway;
  let recorder: Awaited<ReturnType<typeof recordRequests>>;
  let sent: string;
  let seen: Json;

  before(async function () {
    this.timeout(900_000);
    recorder = await recordRequests();
    await run(join(import.meta.dirname, "trixie.sh"), [folder], { maxBuffer: 1e8 });
    gateway = await ogcGateway({
      config: { ogc: { transactions: true, qgisQueryables: true } },
      prepare: createSurveys,
    });
    recorder.passTo(gateway.baseUrl);
  });
  after(async () => {
    await recorder.close();
    await gateway.close();
  });

  it("adds, moves, changes and deletes a feature under a limit rule and a workflow", async function () {
    this.timeout(300_000);
    copyFileSync(join(import.meta.dirname, "editing.py"), join(folder, "tmp/editing.py"));
    const { stdout, stderr } = await run(
      "chroot",
      [
        folder,
        "python3",
        "/tmp/editing.py",
        gateway.root.replace(gateway.baseUrl, recorder.address),
        COLLECTION,
        EDITOR.name,
        EDITOR.password,
      ],
      { maxBuffer: 1e8, env: { PATH: "/usr/sbin:/usr/bin:/bin", HOME: "/tmp", LC_ALL: "C.UTF-8" } },
    );
    sent = sentBy(recorder.requests, recorder.address, gateway);
    if (process.env["QGIS_RECORD"]) writeFileSync(RECORDED, await formatted(RECORDED, sent));
    const line = stdout.split("\n").find((each) => each.startsWith("RESULT "));
    assert.ok(line, stdout + stderr);
    seen = JSON.parse(line.slice("RESULT ".length)) as Json;
    if (process.env["QGIS_SHOW"]) console.log(JSON.stringify(seen, null, 1));
    assert.equal(seen.valid, true, seen.error);
    assert.deepEqual([seen.before, seen["after add"], seen["after delete"]], [["seen"], ["drawn", "seen"], ["seen"]]);
    assert.deepEqual([seen.add[0], seen.move[0], seen.change[0], seen.delete[0]], [true, true, true, true], line);
    assert.equal(seen.refused[0], false, "the limit rule");
    assert.deepEqual(seen["after change"], [["drawn", 8, "MultiPolygon (((3 3, 4 3, 4 4, 3 3)))"]]);
  });

  it("lets the service filter, by numbers, text and place", () => {
    const asked = recorder.requests.map(({ path, status }) => [new URLSearchParams(path).get("filter"), status]);
    for (const filter of [
      "((size   1) = 2)", // it leaves a + unescaped
      "((CASEI(name) LIKE CASEI('SEE%')) AND (( - (size)) < 0))",
      "S_INTERSECTS(geom,BBOX(0,0.90000000000000002,0.5,2))",
    ])
      assert.ok(
        asked.some(([own, status]) => own === filter && status === 200),
        JSON.stringify(asked),
      );
    assert.deepEqual(Object.values(seen["filtered"]), [["seen"], ["seen"], ["seen"]]);
  });

  it("what it sends is what npm test sends again", () => {
    assert.deepEqual(JSON.parse(sent), JSON.parse(readFileSync(RECORDED, "utf8")));
  });

  it("what it has written is read by GDAL", async () => {
    const { client } = gateway.database;
    await client.query("insert into geo.surveys (name, size, geom) select 'again', 8, geom from geo.surveys limit 1");
    const { stdout } = await run("chroot", [
      ...[folder, "ogrinfo", "-ro", `OAPIF_COLLECTION:${gateway.root}/collections/${COLLECTION}`, "-al", "-oo"],
      `USERPWD=${EDITOR.name}:${EDITOR.password}`,
    ]);
    assert.match(stdout, /Feature Count: 2/);
  });
});

/** JSON of the requests, without the parts that differ between runs. */
function sentBy(requests: readonly Recorded[], address: string, { root }: OgcGateway): string {
  const kept = requests.map(({ method, path, headers, body, status }) => ({
    method,
    path,
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name)),
    ),
    body,
    status,
  }));
  return JSON.stringify(kept).replaceAll(address, "").replaceAll(new URL(root).pathname, "");
}
