/** What `deploy/` has for monitoring, asked of a Prometheus that reads a gateway. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { freePort } from "../support/freePort.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const hasPrometheus = ["prometheus", "promtool"].every((name) => spawnSync(name, ["--version"]).status === 0);

interface Board {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

describeOnlyIf(hasPrometheus, "prometheus")("deploy: monitoring", function () {
  this.timeout(120_000);
  let gateway: TestGateway;
  let folder: string;
  let prometheus: ChildProcess;
  let address: string;
  const board = JSON.parse(readFileSync(join(DEPLOY, "grafana/portolan.json"), "utf8")) as Board;
  const { groups } = load(readFileSync(join(DEPLOY, "prometheus/portolan.rules.yml"), "utf8")) as Rules;

  async function ask(query: string): Promise<readonly unknown[]> {
    const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`);
    const body = (await response.json()) as { status: string; error?: string; data?: { result: unknown[] } };
    assert.equal(body.status, "success", `${query}: ${body.error}`);
    return body.data?.result ?? [];
  }

  before(async () => {
    gateway = await testGateway();
    folder = mkdtempSync(join(tmpdir(), "portolan-prometheus-"));
    cpSync(join(DEPLOY, "prometheus"), folder, { recursive: true });
    const example = readFileSync(join(folder, "prometheus.yml"), "utf8");
    const own = example.replace("127.0.0.1:7575", new URL(gateway.baseUrl).host).replace("15s", "1s");
    assert.notEqual(own, example);
    writeFileSync(join(folder, "prometheus.yml"), own);
    address = `127.0.0.1:${await freePort()}`;
    prometheus = spawn(
      "prometheus",
      [
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: "ignore" },
    );
    // a map and a request at each scrape, so that each rate has something to tell
    const map = `/api/v4/ogc/database/${gateway.database.name}/collections/world.graticule/map?width=64&height=64&f=png`;
    await until(async () => {
      await gateway.http.get(map).expect(200);
      const rows = await ask("count_over_time(up[1m]) > 3").catch(() => []); // it is still starting
      return rows.length > 0;
    }, 60_000);
  });
  after(async () => {
    prometheus.kill();
    await once(prometheus, "close");
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("promtool finds the configuration and the rules right", () => {
    execFileSync("promtool", ["check", "config", join(folder, "prometheus.yml")], { stdio: "pipe" });
  });

  it("the alerts of a certificate fire 14 and 2 days before it expires", () => {
    // the clock of promtool begins at 0
    const series = (use: string, days: number) => ({
      series: `portolan_certificate_expires_timestamp_seconds{job="portolan", use="${use}"}`,
      values: `${days * 86_400}x60`,
    });
    const tests = {
      rule_files: ["portolan.rules.yml"],
      tests: [
        {
          interval: "1m",
          input_series: [series("nats", 15), series("https", 13), series("server", 1)],
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: "1h",
              exp_samples: [
                { labels: '{alertname="PortolanCertificateExpires"}', value: 2 },
                { labels: '{alertname="PortolanCertificateExpiresNow"}', value: 1 },
              ],
            },
          ],
        },
      ],
    };
    const file = join(folder, "tests.json"); // which is YAML too
    writeFileSync(file, JSON.stringify(tests));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  });

  for (const { title, targets } of board.panels)
    it(`the panel "${title}" has figures`, async () => {
      for (const { expr } of targets) {
        const query = expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
        assert.ok((await ask(query)).length > 0, query);
      }
    });

  for (const { alert, expr } of groups.flatMap(({ rules }) => rules))
    it(`the alert ${alert} asks for what is there, and is quiet`, async () => {
      assert.deepEqual(await ask(expr), []);
      for (const [name] of expr.matchAll(/\bportolan_\w+/g)) {
        const asked = gateway.http.get("/metrics");
        assert.match((await asked).text, new RegExp(`^# TYPE ${name.replace(/_(count|bucket)$/, "")} `, "m"));
      }
    });
});
