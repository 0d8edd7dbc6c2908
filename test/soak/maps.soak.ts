import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";

const MAPS = 2000;
const BOX = "bbox=10,50,12,52&width=256&height=256";

/** Resident memory, and its maximum, of the one worker of this process. */
function workerMegabytes(): { pid: number; now: number; most: number } {
  for (const task of readdirSync("/proc/self/task"))
    for (const pid of readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean)) {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (!/^Name:\tmapserv$/m.test(status)) continue;
      const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
      return { pid: Number(pid), now: of("VmRSS"), most: of("VmHWM") };
    }
  throw new Error("there is no worker");
}

describe("maps for a long time", function () {
  this.timeout(600_000);
  let gateway: MapGateway;

  before(async () => {
    gateway = await mapGateway({
      config: { mapWorkers: 1, mapRequestsPerWorker: 100_000, mapTimeoutMs: 120_000 },
      styled: {
        all: {
          of: "squares",
          style: [
            {
              name: "All",
              styles: [{ color: "tint", outlineColor: "#000000", width: "height" }],
              labels: [{ text: "{kind} {height}", size: 12 }],
            },
          ],
        },
      },
    });
  });
  after(() => gateway.close());

  it(`${MAPS} maps through one worker: its memory stays flat`, async () => {
    const draw = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 4)
        await Promise.all(
          ["gis.all", "gis.lines", "gis.points", "gis.mixed"].map((id) => gateway.map(`/collections/${id}/map?${BOX}`)),
        );
    };
    await draw(MAPS / 10);
    const before = workerMegabytes();
    await draw(MAPS);
    const after = workerMegabytes();
    assert.equal(after.pid, before.pid, "one worker drew them all");
    assert.ok(after.now < before.now + 10, `${before.now} MB, then ${after.now} MB`);
  });

  for (const f of ["png", "jpeg"])
    it(`the largest ${f}, 16384², is drawn within the limit of memory`, async () => {
      const response = await gateway.ask(
        `/collections/gis.all/map?bbox=10,50,12,52&width=16384&height=16384&f=${f}`,
        "captain",
      );
      assert.equal(response.status, 200);
      assert.ok((await response.arrayBuffer()).byteLength > 100_000);
      assert.ok(workerMegabytes().most < 4000, `${workerMegabytes().most} MB`);
    });
});
