/**
 * QGIS 3.40 draws by WMS and WMTS, and reads and writes by WFS of both versions. `QGIS_CHROOT`: a folder with Debian
 * trixie, as for editing.soak.ts.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { COLLECTION, createSurveys, EDITOR } from "../ogc/editedByQgis.ts";
import { ogcGateway, type Json, type OgcGateway } from "../ogc/support.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";

const run = promisify(execFile);
const FOLDER = process.env["QGIS_CHROOT"];

describeOnlyIf(FOLDER !== undefined, "QGIS_CHROOT, a folder for Debian trixie")("QGIS at the classic door", () => {
  const folder = FOLDER!;
  let gateway: OgcGateway;
  let seen: Json;

  before(async function () {
    this.timeout(900_000);
    await run(join(import.meta.dirname, "trixie.sh"), [folder], { maxBuffer: 1e8 });
    gateway = await ogcGateway({ config: { ogc: { transactions: true } }, prepare: createSurveys });
    copyFileSync(join(import.meta.dirname, "classic.py"), join(folder, "tmp/classic.py"));
    const { stdout, stderr } = await run(
      "chroot",
      [
        ...[folder, "python3", "/tmp/classic.py", `${gateway.baseUrl}/ows/${gateway.database.name}`],
        ...[COLLECTION, EDITOR.name, EDITOR.password],
      ],
      { maxBuffer: 1e8, env: { PATH: "/usr/sbin:/usr/bin:/bin", HOME: "/tmp", LC_ALL: "C.UTF-8" } },
    );
    const line = stdout.split("\n").find((each) => each.startsWith("RESULT "));
    assert.ok(line, stdout + stderr);
    seen = JSON.parse(line.slice("RESULT ".length)) as Json;
  });
  after(() => gateway.close());

  it("reads, filters, adds, moves and changes features by WFS 2.0.0 and 1.1.0", async () => {
    for (const version of ["2.0.0", "1.1.0"]) {
      const { error, before, filtered, ...steps } = seen[version];
      assert.equal(error, undefined);
      assert.ok(before.includes("seen") && !before.includes("beyond the limit"), String(before));
      assert.deepEqual(filtered, [["seen"], ["seen"]]);
      assert.deepEqual(
        Object.entries(steps).map(([step, result]) => [step, (result as Json)[0]]),
        [["add", true], ["move", true], ["change", true], ["refused", false]],
        JSON.stringify(steps),
      ); // oxfmt-ignore
    }
    const { rows } = await gateway.database.client.query(
      "select name, size, st_astext(geom) as geom from geo.surveys where id > 2 order by id",
    );
    const geom = "MULTIPOLYGON(((3 4,4 4,4 6,3 4)))";
    assert.deepEqual(rows, [{ name: "2.0.0", size: 8, geom }, { name: "1.1.0", size: 8, geom }]); // oxfmt-ignore
  });

  for (const service of ["wms", "wms 3857", "wmts"])
    it(`shows the map by ${service}${service === "wmts" ? "" : ", and tells the feature at a place"}`, () => {
      const { error, inside, outside, far, told } = seen[service];
      assert.equal(error, undefined);
      assert.notEqual(inside, outside);
      assert.deepEqual([outside, far], ["#ffffff", "#ffffff"], "the rows beyond the limit");
      if (service !== "wmts") assert.match(String(told), /name\W+seen/);
    });
});
