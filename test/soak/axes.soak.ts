/**
 * QGIS 3.40 and GDAL 3.10 read and write tables in systems of either order of axes. `QGIS_CHROOT`: a folder with Debian
 * trixie, as for editing.soak.ts.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ogcGateway, type Json, type OgcGateway } from "../ogc/support.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";

const run = promisify(execFile);
const FOLDER = process.env["QGIS_CHROOT"];
const ACCOUNT = { name: "surveyor", password: "north by north west" };
const ENVIRONMENT = { PATH: "/usr/sbin:/usr/bin:/bin", HOME: "/tmp", LC_ALL: "C.UTF-8" };

type Place = readonly [longitude: number, latitude: number];

/** Systems with an existing place, and one that QGIS draws. */
const SYSTEMS: readonly { readonly code: number; readonly there: Place; readonly drawn: Place }[] = [
  { code: 3035, there: [10, 52], drawn: [13.4, 52.5] },
  { code: 2193, there: [174, -41], drawn: [175, -40.5] },
  { code: 25832, there: [9, 50], drawn: [8.5, 49.5] },
  { code: 4326, there: [9, 50], drawn: [8.5, 49.5] },
  { code: 990001, there: [9, 50], drawn: [8.5, 49.5] }, // in no registry
];

for (const axisOrder of ["xy", "authority"] as const)
  describeOnlyIf(FOLDER !== undefined, "QGIS_CHROOT, a folder for Debian trixie")(
    `ogc.axisOrder "${axisOrder}"`,
    () => {
      const folder = FOLDER!;
      let gateway: OgcGateway;

      before(async function () {
        this.timeout(900_000);
        await run(join(import.meta.dirname, "trixie.sh"), [folder], { maxBuffer: 1e8 });
        gateway = await ogcGateway({
          config: { ogc: { axisOrder } },
          prepare: async ({ client }) => {
            await client.query(`
insert into public.spatial_ref_sys (srid, auth_name, auth_srid, srtext, proj4text)
  select 990001, 'custom', 1, srtext, proj4text from public.spatial_ref_sys where srid = 25832;
select portolan.create_user('${ACCOUNT.name}', '${ACCOUNT.password}')`);
            for (const { code, there } of SYSTEMS)
              await client.query(`
create table geo.s${code} (id int generated always as identity primary key, name text, geom geometry(Point, ${code}));
comment on table geo.s${code} is '@ogc write';
insert into geo.s${code} (name, geom) values ('there', st_transform('srid=4326;point(${there.join(" ")})'::geometry, ${code}));
select portolan.set_privilege('geo.s${code}', '${ACCOUNT.name}', 'write')`);
          },
        });
      });
      after(() => gateway.close());

      const isNear = ([x, y]: readonly number[], [longitude, latitude]: Place): boolean =>
        Math.abs(x! - longitude) < 1e-5 && Math.abs(y! - latitude) < 1e-5;

      it("QGIS sees each point where it is, and what it draws is stored there", async function () {
        this.timeout(300_000);
        copyFileSync(join(import.meta.dirname, "axes.py"), join(folder, "tmp/axes.py"));
        const places = SYSTEMS.flatMap(({ code, drawn }) => [`geo.s${code}`, ...drawn.map(String)]);
        const { stdout, stderr } = await run(
          "chroot",
          [folder, "python3", "/tmp/axes.py", gateway.root, ACCOUNT.name, ACCOUNT.password, ...places],
          { env: ENVIRONMENT },
        );
        const line = stdout.split("\n").find((each) => each.startsWith("RESULT "));
        assert.ok(line, stdout + stderr);
        const layers = JSON.parse(line.slice("RESULT ".length)) as Json;
        for (const { code, there, drawn } of SYSTEMS) {
          const layer = layers[`geo.s${code}`];
          assert.ok(layer.seen?.length === 1 && isNear(layer.seen[0], there), `${code}: ${JSON.stringify(layer)}`);
          assert.equal(layer.saved, true, `${code}: ${JSON.stringify(layer)}`);
          const { rows } = await gateway.database.client.query<{ x: number; y: number }>(
            `select st_x(place) as x, st_y(place) as y
from geo.s${code}, st_transform(geom, 4326) as place where name = 'drawn'`,
          );
          assert.equal(rows.length, 1);
          assert.ok(isNear([rows[0]!.x, rows[0]!.y], drawn), `${code}: ${JSON.stringify(rows)}`);
        }
      });

      it("GDAL of the chroot, and of this machine, reads each where it is", async function () {
        this.timeout(120_000);
        for (const { code, there } of SYSTEMS)
          for (const command of [["chroot", folder, "ogr2ogr"], ["ogr2ogr"]]) {
            const file = `/tmp/portolan-axes-${axisOrder}-${code}.csv`;
            const written = command.length > 1 ? join(folder, file) : file;
            rmSync(written, { force: true });
            const [program = "", ...rest] = [
              ...command,
              ...["-f", "CSV", file, `OAPIF_COLLECTION:${gateway.root}/collections/geo.s${code}`],
              ...["-oo", `USERPWD=${ACCOUNT.name}:${ACCOUNT.password}`],
              ...["-t_srs", "OGC:CRS84", "-lco", "GEOMETRY=AS_XY", "-where", "name = 'there'"],
            ];
            await run(program, rest, { env: ENVIRONMENT });
            const [, row = ""] = readFileSync(written, "utf8").split("\n");
            assert.ok(isNear(row.split(",").slice(0, 2).map(Number), there), `${code} by ${command.join(" ")}: ${row}`);
          }
      });
    },
  );
