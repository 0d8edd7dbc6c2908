/**
 * Many groups: an account that is in all of them through a tenth, in groups of groups ten deep. Prints how long the
 * administrator, the sign-in, the claims and a request take.
 */
import assert from "node:assert/strict";
import { addClient, codeFor, makePkce, REDIRECT_URI } from "../oauth/support.ts";
import { testGateway, type TestGateway } from "./gateway.ts";
import { until } from "./until.ts";

const DEPTH = 10;
/** So that no password is hashed. */
const HASH = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

export interface ManyGroups {
  /** A multiple of ten. */
  readonly count: number;
  /** The longest time for a sign-in, a grant, a look at the claims and a request. */
  readonly mostMs: number;
  readonly print: (text: string) => void;
}

/** Declares the tests. */
export function describeGroups({ count: GROUPS, mostMs: MOST_MS, print }: ManyGroups): void {
  describe(`${GROUPS} groups`, function () {
    this.timeout(1_200_000);
    let gateway: TestGateway;
    const sql = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

    before(async () => {
      gateway = await testGateway();
      await addClient(gateway.database, "app");
    });
    after(() => gateway.close());

    async function timed<T>(what: string, work: () => PromiseLike<T>): Promise<{ result: T; ms: number }> {
      const began = performance.now();
      const result = await work();
      const ms = performance.now() - began;
      print(`${what}: ${ms.toFixed(0)} ms`);
      return { result, ms };
    }

    /** Whether the account has the rights of the group that is furthest from it. */
    async function isInDeepest(): Promise<unknown> {
      const { rows } = await sql(
        "select pg_has_role(a.role, g.role, 'member') as is from portolan.users a, portolan.users g where a.name = 'guest' and g.name = 'g1'",
      );
      return rows[0]?.is;
    }

    it("are made, nested, told in claims, and give their rights", async () => {
      await timed("groups made, one by one", async () => {
        for (let n = 1; n <= GROUPS; n++) await sql("select portolan.create_user($1, $2)", [`g${n}`, HASH]);
      });
      await timed("groups nested, one by one", async () => {
        for (let n = GROUPS / DEPTH + 1; n <= GROUPS; n++)
          await sql("select portolan.update_user($1, jsonb_build_object('user_group', $2::text))", [
            `g${n}`,
            `g${n - GROUPS / DEPTH}`,
          ]);
      });
      await timed("an account put into a tenth of them", () =>
        sql(
          `select portolan.update_user('guest', jsonb_build_object('user_group', (
             select jsonb_agg('g' || n) from generate_series($1::integer - $2::integer + 1, $1) n)))`,
          [GROUPS, GROUPS / DEPTH],
        ),
      );
      const pkce = makePkce();
      const { result: code, ms } = await timed("sign-in until the code", () =>
        codeFor(gateway.baseUrl, "app", pkce, { scope: "openid groups" }),
      );
      const { result: tokens, ms: granted } = await timed("the grant", () =>
        gateway.http
          .post("/api/v4/oauth")
          .send({
            grant_type: "authorization_code",
            client_id: "app",
            code,
            redirect_uri: REDIRECT_URI,
            code_verifier: pkce.verifier,
          }) // oxfmt-ignore
          .expect(200),
      );
      const authorization = { Authorization: `Bearer ${tokens.body.access_token}` };
      const { result: info, ms: asked } = await timed("userinfo", () =>
        gateway.http.get("/api/v4/oauth/userinfo").set(authorization).expect(200),
      );
      assert.equal(info.body.groups.length, GROUPS, "its own ones, and those over them");
      assert.deepEqual(await isInDeepest(), true);
      const times: number[] = [];
      for (const round of ["first", "second", "third"]) {
        const { ms: spent } = await timed(`the ${round} request`, () =>
          gateway.http.get(`/api/v4/ogc/database/${gateway.database.name}/collections`).set(authorization).expect(200),
        );
        times.push(spent);
      }
      for (const time of [ms, granted, asked, times[2]!]) assert.ok(time <= MOST_MS, `${time} ms`);
      await timed("a group taken away", () => sql(`select portolan.update_user('guest', '{"user_group": "g1"}')`));
      const { body } = await gateway.http.get("/api/v4/oauth/userinfo").set(authorization).expect(200);
      assert.deepEqual(body.groups, ["g1"]);
      assert.equal(await isInDeepest(), true, "of which it is a member itself now");
    });

    it("make no circle, however long it would be", async () => {
      // the column of ten in which g1 is the deepest
      const last = GROUPS - GROUPS / DEPTH + 1;
      await assert.rejects(
        sql("select portolan.update_user('g1', jsonb_build_object('user_group', $1::text))", [`g${last}`]),
        { code: "PX409" },
      );
      await assert.rejects(sql("select portolan.update_user('g1', '{\"user_group\": \"guest\"}')"), { code: "PX409" });
    });

    it("that are removed take their rights from a token that lives on", async () => {
      await sql("create table world.of_the_group (id integer primary key)");
      const { rows } = await sql("select role from portolan.users where name = 'lone'");
      assert.deepEqual(rows, []);
      await sql("select portolan.create_user('lone', $1)", [HASH]);
      await sql(`select portolan.update_user('guest', '{"user_group": ["g1", "lone"]}')`);
      await sql("do $$ begin execute format('grant select on world.of_the_group to %I', (select role from portolan.users where name = 'lone')); end $$"); // oxfmt-ignore
      const token = await gateway.token("guest");
      const ask = async () =>
        (
          await gateway.http
            .post("/api/v4/sql")
            .auth(token, { type: "bearer" })
            .send({ q: "select * from world.of_the_group" })
        ).status;
      assert.equal(await ask(), 200);
      await assert.rejects(sql("select portolan.drop_user('lone')"), { code: "PX409" }, "it has a member");
      await sql(`select portolan.update_user('guest', '{"user_group": ["g1"]}')`);
      await sql("select portolan.drop_user('lone')");
      await until(async () => (await ask()) === 403, 5000);
      await gateway.http.get("/api/v4/users/guest").auth(token, { type: "bearer" }).expect(200);
    });
  });
}
