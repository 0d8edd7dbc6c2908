/** The chart of `deploy/helm`, as Helm renders it. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describeOnlyIf } from "../support/onlyIf.ts";

const CHART = join(import.meta.dirname, "../../deploy/helm/portolan");
const hasHelm = spawnSync("helm", ["version"]).status === 0;

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: unknown;
  readonly workingDir?: string;
}
interface Pod {
  readonly containers: readonly Container[];
  readonly volumes: unknown;
  readonly topologySpreadConstraints?: unknown;
}
interface Resource {
  readonly kind: string;
  readonly spec: { readonly template?: { readonly spec: Pod } };
}

describeOnlyIf(hasHelm, "helm")("deploy: the chart", () => {
  const helm = (command: readonly string[], values: object): string =>
    execFileSync("helm", [...command, CHART, "--values", "-"], {
      encoding: "utf8",
      input: JSON.stringify(values),
      stdio: "pipe",
    });
  const render = (values: object): Resource[] => loadAll(helm(["template", "gis"], values)) as Resource[];

  it("gives options to the service as variables: numbers, lists and objects too", () => {
    const issuers = [{ issuer: "https://id.example.org", jwksUri: "https://id.example.org/keys", audience: "gis" }];
    const [deployment] = render({
      options: { MAX_BODY_BYTES: 10_000_000, REQUEST_LOG: false, SCHEMAS: ["town", "port"], ISSUERS: issuers },
      trustedProxies: ["10.0.0.0/8", "192.168.0.0/16"],
    }).filter(({ kind }) => kind === "Deployment");
    const [container] = deployment?.spec.template?.spec.containers ?? [];
    const { ISSUERS = "", ...others } = Object.fromEntries(
      (container?.env ?? []).map(({ name, value }) => [name, value]),
    );
    assert.deepEqual(others, {
      BASE_URL: "https://gis.example.org",
      TRUSTED_PROXIES: "10.0.0.0/8,192.168.0.0/16",
      MAX_BODY_BYTES: "10000000",
      RATE_LIMIT: "0",
      REQUEST_LOG: "false",
      SCHEMAS: "town,port",
    });
    assert.deepEqual(JSON.parse(ISSUERS), issuers);
  });

  it("has a migration before an upgrade, a disruption budget for several pods, and an ingress and a monitor on request", () => {
    const kinds = (values: object): string[] =>
      render(values)
        .map(({ kind }) => kind)
        .sort();
    assert.deepEqual(kinds({}), ["Deployment", "Job", "PodDisruptionBudget", "Service"]);
    assert.deepEqual(
      kinds({ replicas: 1, migrate: false, ingress: { enabled: true }, serviceMonitor: { enabled: true } }),
      ["Deployment", "Ingress", "Service", "ServiceMonitor"],
    );
    assert.throws(
      () => render({ baseUrl: "https://example.org/gis", ingress: { enabled: true } }),
      /takes no path off/,
    );
  });

  it("mounts the files that options name, in the migration too, and spreads its replicas over nodes", () => {
    const rasters = { name: "rasters", persistentVolumeClaim: { claimName: "rasters" } };
    const mount = { name: "rasters", mountPath: "/rasters", readOnly: true };
    const given = { extraVolumes: [rasters], extraVolumeMounts: [mount], workingDirectory: "/etc/portolan" };
    for (const kind of ["Deployment", "Job"]) {
      const pod = render(given).find((one) => one.kind === kind)?.spec.template?.spec;
      assert.deepEqual(pod?.volumes, [{ name: "tmp", emptyDir: {} }, rasters]);
      assert.deepEqual(pod.containers[0]?.volumeMounts, [{ name: "tmp", mountPath: "/tmp" }, mount]);
      assert.equal(pod.containers[0].workingDir, "/etc/portolan");
    }
    const spreadOf = (values: object): unknown =>
      render(values).find(({ kind }) => kind === "Deployment")?.spec.template?.spec.topologySpreadConstraints;
    const labels = { "app.kubernetes.io/name": "portolan", "app.kubernetes.io/instance": "gis" };
    const byNode = { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" };
    assert.deepEqual(spreadOf({}), [{ ...byNode, labelSelector: { matchLabels: labels } }]);
    const own = [{ ...byNode, topologyKey: "topology.kubernetes.io/zone" }];
    assert.deepEqual(spreadOf({ topologySpreadConstraints: own }), own);
  });

  it("lints", () => {
    helm(["lint", "--strict"], {});
  });
});
