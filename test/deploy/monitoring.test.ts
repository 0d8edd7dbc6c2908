/** The monitoring files of `deploy/`, tried with a Prometheus that reads a gateway. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { findPrometheus } from "../../server/setup/programs.mjs";
import { freePort } from "../support/freePort.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");

interface Board {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

describeOnlyIf(findPrometheus() !== undefined, "prometheus")("deploy: monitoring", () => {
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
    gateway = await testGateway({ config: { smtpUrl: "log:" } });
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
    // a map and a request at each scrape, so that each rate has a value
    const map = `/api/v4/ogc/database/${gateway.database.name}/collections/world.graticule/map?width=64&height=64&f=png`;
    await until(async () => {
      await gateway.http.get(map).expect(200);
      const rows = await ask("count_over_time(up[1m]) > 3").catch(() => []); // it is still starting
      return rows.length > 0;
    });
  });
  after(async () => {
    prometheus.kill();
    await once(prometheus, "close");
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("promtool accepts the configuration and the rules", () => {
    execFileSync("promtool", ["check", "config", join(folder, "prometheus.yml")], { stdio: "pipe" });
  });

  /** Lets promtool count how often each alert fires after an hour of these series. */
  function fires(input: Readonly<Record<string, string>>, alerts: Readonly<Record<string, number>>): void {
    const tests = {
      rule_files: ["portolan.rules.yml"],
      tests: [
        {
          interval: "1m",
          input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
          promql_expr_test: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
              eval_time: "1h",
              exp_samples: Object.entries(alerts).map(([alert, value]) => ({
                labels: `{alertname="${alert}"}`,
                value,
              })),
            },
          ],
        },
      ],
    };
    const file = join(folder, "tests.json"); // which is YAML too
    writeFileSync(file, JSON.stringify(tests));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  }

  it("the alerts of a certificate fire 14 and 2 days before it expires", () => {
    // the clock of promtool begins at 0
    const expires = (use: string, days: number) => ({
      [`portolan_certificate_expires_timestamp_seconds{job="portolan", use="${use}"}`]: `${days * 86_400}x60`,
    });
    fires(
      { ...expires("nats", 15), ...expires("https", 13), ...expires("server", 1) },
      { PortolanCertificateExpires: 2, PortolanCertificateExpiresNow: 1 },
    );
  });

  it("every other alert fires under its condition, and only then", () => {
    const series = (metric: string, labels: string, values: string) => ({
      [`${metric}{job="portolan", instance="a", ${labels}}`]: values,
    });
    const answers = (door: string, each: number, failed: number, slow: number) => ({
      ...series("portolan_http_request_duration_seconds_count", `door="${door}", status="200"`, `0+${each}x60`),
      ...series("portolan_http_request_duration_seconds_count", `door="${door}", status="503"`, `0+${failed}x60`),
      ...series("portolan_http_request_duration_seconds_bucket", `door="${door}", le="2.5"`, `0+${each - slow}x60`),
      ...series("portolan_http_request_duration_seconds_bucket", `door="${door}", le="5"`, `0+${each}x60`),
      ...series("portolan_http_request_duration_seconds_bucket", `door="${door}", le="+Inf"`, `0+${each}x60`),
    });
    const two = (metric: string, labels: string, bad: string, good: string) => ({
      ...series(metric, `${labels}, database="bad"`, bad),
      ...series(metric, `${labels}, database="good"`, good),
    });
    fires(
      {
        'up{job="portolan", instance="a"}': "1x60",
        'up{job="portolan", instance="b"}': "0x60",
        ...answers("good", 100, 1, 1),
        ...answers("errors", 100, 5, 1),
        ...answers("slow", 100, 1, 10),
        ...two("portolan_pool_connections", 'state="waiting"', "1x60", "0x60"),
        ...two("portolan_account_busy_total", 'busy="x"', "0+60x60", "0x60"),
        ...two("portolan_events_lag_seconds", 'lag="x"', "11x60", "1x60"),
        ...two("portolan_events_reader", 'reader="x"', "0x60", "1x60"),
        ...two("portolan_jobs", 'state="failed", kind="versioning"', "1x60", "0x60"),
        ...series("portolan_second_factors_total", 'kind="code", outcome="refused"', "0+5x60"),
        ...series("portolan_second_factors_total", 'kind="passkey", outcome="refused"', "0+5x60"),
        ...series("portolan_second_factors_total", 'kind="code", outcome="accepted"', "0+900x60"),
        ...series("portolan_provider_sign_ins_total", 'provider="bad", outcome="failed"', "0+1x60"),
        ...series("portolan_provider_sign_ins_total", 'provider="good", outcome="signed_in"', "0+9x60"),
        ...series("portolan_logout_notices_total", 'outcome="given_up"', "0x30 1x29"),
        ...series("portolan_mails_total", 'kind="forgotten", outcome="failed"', "0+1x60"),
        ...series("portolan_mails_total", 'kind="forgotten", outcome="sent"', "0+1x60"),
        ...series("portolan_map_queue", 'queue="x"', "21x60"),
        ...series("portolan_map_worker_ends_total", 'reason="crash"', "0+1x60"),
        ...series("portolan_map_worker_ends_total", 'reason="idle"', "0+1x60"),
      },
      Object.fromEntries(
        groups
          .flatMap(({ rules }) => rules)
          .filter(({ alert }) => !alert.startsWith("PortolanCertificate"))
          .map(({ alert }) => [alert, 1]),
      ),
    );
  });

  for (const { title, targets } of board.panels)
    it(`the panel "${title}" has figures`, async () => {
      for (const { expr } of targets) {
        const query = expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
        assert.ok((await ask(query)).length > 0, query);
      }
    });

  for (const { alert, expr } of groups.flatMap(({ rules }) => rules))
    it(`the alert ${alert} uses existing metrics, and is quiet`, async () => {
      assert.deepEqual(await ask(expr), []);
      const { text } = await gateway.http.get("/metrics");
      for (const [, name = "", labels] of expr.matchAll(/\b(portolan_\w+)\{([^}]*)\}/g)) {
        assert.match(text, new RegExp(`^# TYPE ${name.replace(/_(count|bucket)$/, "")} `, "m"));
        const sample = new RegExp(`^${name}\\{(.*)\\} `, "m").exec(text)?.[1];
        if (sample === undefined) continue; // there is none of it now
        for (const [, label] of (labels ?? "").matchAll(/(\w+)=/g))
          if (label !== "job") assert.match(sample, new RegExp(`\\b${label}=`), name);
      }
    });
});
