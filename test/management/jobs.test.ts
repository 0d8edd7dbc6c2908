import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { command, commandBeside, type Outcome } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

describe("jobs through the interfaces", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  let holder: pg.Client;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(
          ["one", "two", "three"]
            .map(
              (name) =>
                `create table world.${name} (id int primary key, t text); insert into world.${name} select i, 'x' from generate_series(1, 120000) i;`,
            )
            .join("\n"),
        ),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
    holder = new pg.Client({ connectionString: gateway.database.url });
    await holder.connect();
  });
  after(async () => {
    await holder.end();
    await gateway.close();
  });

  const path = (table: string, setting: string): string => `/schemas/world/tables/${table}/${setting}`;

  it("history of a large table is 202 with its job; a gateway runs it, and GraphQL then reads as of an instant", async () => {
    const { body, headers } = await captain("patch", path("one", "versioning"), { enabled: true }).expect(202);
    assert.deepEqual(Object.keys(body), ["job"]);
    assert.equal(headers["location"], `/api/v4/jobs/${body.job}`);
    const job = async () => (await captain("get", `/jobs/${body.job}`).expect(200)).body;
    await until(async () => (await job()).state === "done");
    const { started, updated, ...rest } = await job();
    assert.deepEqual(rest, {
      id: body.job,
      kind: "versioning",
      relation: "world.one",
      state: "done",
      done: 120_000,
      total: 120_000,
      started_by: "captain",
      error: null,
    });
    assert.ok(Date.parse(started) <= Date.parse(updated));
    assert.deepEqual((await captain("get", path("one", "versioning")).expect(200)).body, { enabled: true });
    const [entry] = (await captain("get", "/audit?event=versioning.&limit=1").expect(200)).body;
    assert.equal(entry.details.by, "captain", "whoever asked, not who worked it off");
    await captain("patch", path("one", "versioning"), { enabled: true }).expect(303);
    await until(async () => {
      const query = `{ getOne(where: {id: {eq: 1}}, asOf: "${new Date().toISOString()}") { id } }`;
      return (await gateway.graphql("captain", "world", query)).body.data?.getOne?.length === 1;
    });
  });

  it("history of a large table is switched off by a job, too", async () => {
    const { body } = await captain("patch", path("one", "versioning"), { enabled: false }).expect(202);
    await until(async () => (await captain("get", `/jobs/${body.job}`)).body.state === "done");
    assert.equal((await captain("get", `/jobs/${body.job}`)).body.kind, "end_versioning");
    assert.deepEqual((await captain("get", path("one", "versioning")).expect(200)).body, { enabled: false });
    await captain("patch", path("one", "versioning"), { enabled: false }).expect(303);
  });

  it("is stopped and continued", async () => {
    await holder.query("begin; lock table world.two in row exclusive mode");
    const { body } = await captain("patch", path("two", "versioning"), { enabled: true }).expect(202);
    await until(async () => /waits for a lock/.test((await captain("get", `/jobs/${body.job}`)).body.error));
    await captain("delete", `/jobs/${body.job}`).expect(204);
    assert.equal((await captain("get", `/jobs/${body.job}`)).body.state, "stopped");
    await holder.query("commit");
    const { headers } = await captain("patch", `/jobs/${body.job}`, { state: "queued" }).expect(303);
    assert.equal(headers["location"], `/api/v4/jobs/${body.job}`);
    await until(async () => (await captain("get", `/jobs/${body.job}`)).body.state === "done");
    assert.match(problemOf(await captain("delete", `/jobs/${body.job}`), 409), /is done/);
    const listed = (await captain("get", "/jobs").expect(200)).body as { id: number }[];
    assert.deepEqual(listed.map(({ id }) => id).slice(0, 1), [body.job]);
  });

  it("events and workflow of a large table are jobs too", async () => {
    for (const setting of ["events", "workflow"]) {
      const { body } = await captain("patch", path("three", setting), { enabled: true }).expect(202);
      await until(async () => (await captain("get", `/jobs/${body.job}`)).body.state === "done");
      assert.equal((await captain("get", path("three", setting))).body.enabled, true);
    }
  });

  it("/metrics counts failed ones until somebody deals with them", async () => {
    const { client } = gateway.database;
    const add = (kind: string, state: string) =>
      client.query(
        `insert into portolan.jobs (kind, relation, state, started_by) values ('${kind}', 'world.cities', '${state}', 'captain')`,
      );
    const told = async () => {
      const { text } = await gateway.http.get("/metrics").expect(200);
      return [...text.matchAll(/^portolan_jobs\{.*kind="(\w+)",state="failed"\} (\d+)$/gm)].map(
        ([, ...found]) => found,
      );
    };
    await add("import", "failed"); // its owner was told, and there is no remedy
    assert.deepEqual(await told(), []);
    await add("events", "failed");
    assert.deepEqual(await told(), [["events", "1"]]);
    await add("events", "done");
    assert.deepEqual(await told(), []);
    await client.query("delete from portolan.jobs where relation = 'world.cities'::regclass");
  });

  it("of others are for super users; an unknown one is refused", async () => {
    assert.deepEqual((await guest("get", "/jobs").expect(200)).body, []);
    problemOf(await guest("get", "/jobs/1"), 404);
    problemOf(await guest("delete", "/jobs/1"), 404);
    problemOf(await gateway.http.get("/api/v4/jobs"), 401);
    problemOf(await captain("get", "/jobs/999999"), 404);
    problemOf(await captain("delete", "/jobs/999999"), 404);
    problemOf(await captain("get", "/jobs/one'--"), 404);
    problemOf(await captain("patch", "/jobs/1", { state: "done" }), 400);
    problemOf(await captain("patch", "/jobs/1", { state: "queued", more: 1 }), 400);
  });

  it("the command line lists, stops, continues and runs them, with their progress", async () => {
    const env = { DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url };
    const succeeded = ({ status, stdout, stderr }: Outcome): string => {
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const portolan = (...args: string[]): string => succeeded(command(args, { env }));
    /** Beside the gateway, which may hold a lock that the command waits for. */
    const beside = async (...args: string[]): Promise<string> => succeeded(await commandBeside(args, { env }));
    await gateway.database.client.query(
      "create table world.four (id int primary key); insert into world.four select generate_series(1, 120000)",
    );
    assert.match(
      portolan("versioning", "enable", "world.four"),
      /^job \d+: versioning of world\.four: .*\n(.*\n)*the history of world\.four is kept\n$/,
    );
    assert.match(
      portolan("versioning", "disable", "world.four"),
      /^job \d+: end_versioning of world\.four: .*\n(.*\n)*the history of world\.four is no longer kept\n$/,
    );
    const rows = JSON.parse(portolan("jobs", "list", "--json")) as { id: number; state: string; relation: string }[];
    const four = rows.find(({ relation }) => relation === "world.four");
    assert.equal(four?.state, "done");
    await holder.query("begin; lock table world.one in row exclusive mode");
    const { body } = await captain("patch", path("one", "events"), { enabled: true }).expect(202);
    assert.equal(await beside("jobs", "stop", String(body.job)), `job ${body.job} is stopped\n`);
    await holder.query("commit");
    assert.equal(await beside("jobs", "continue", String(body.job)), `job ${body.job} continues\n`);
    await beside("jobs", "run", "--lock-wait", "1");
    assert.equal((await captain("get", `/jobs/${body.job}`)).body.state, "done");
  });

  it("a command whose job somebody else stops reports that, and not success", async () => {
    const { database } = gateway;
    await holder.query("begin; lock table world.three in row exclusive mode");
    const command = promisify(execFile)(process.execPath, [CLI, "versioning", "enable", "world.three"], {
      env: { ...programEnv(), DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url },
    });
    const ended = command.then(
      () => assert.fail("it says that it is done"),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    let job = 0;
    await until(async () => {
      const [one] = (await captain("get", "/jobs")).body as { id: number; relation: string; error: string | null }[];
      job = one?.id ?? 0;
      return one?.relation === "world.three" && /waits for a lock/.test(one.error ?? "");
    });
    await captain("delete", `/jobs/${job}`).expect(204);
    const { code, stdout, stderr } = await ended;
    assert.deepEqual([code, stderr], [1, `portolan: job ${job} is stopped: portolan jobs continue ${job}\n`]);
    assert.doesNotMatch(stdout, /is kept/);
    await holder.query("commit");
  });
});
