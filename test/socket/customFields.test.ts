/** Subscription fields that do not come from tables: a team's own plugins, and `listen`. */
import assert from "node:assert/strict";
import { context, lambda, listen, type Step } from "postgraphile/grafast";
import { extendSchema, gql, wrapPlans } from "postgraphile/utils";
import { createTopicSubscriber } from "../../server/kernel/catalogue/topics.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs } from "../support/webSocket.ts";

/** As in PostGraphile's manual. */
const TideSubscription = extendSchema({
  typeDefs: gql`
    extend type Subscription {
      tide(harbour: String!): TidePayload
    }
    type TidePayload {
      metres: Float
    }
  `,
  objects: {
    Subscription: {
      plans: {
        tide: {
          subscribePlan(_$root: Step, { $harbour }: { $harbour: Step<string> }) {
            const $topic = lambda($harbour, (harbour) => `tide:${harbour}`);
            return listen(context().get("pgSubscriber" as never) as never, $topic);
          },
          plan: ($event: Step) => $event,
        },
      },
    },
    TidePayload: {
      plans: { metres: ($event: Step) => lambda($event as Step<string>, (text) => JSON.parse(text).metres as number) },
    },
  } as never,
});

describe("socket: custom subscription fields", () => {
  let gateway: TestGateway;
  const query = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create function world.may_listen(topic text) returns boolean language plpgsql as $$
begin
  if topic = 'secret' then raise exception 'not for you' using errcode = '42501'; end if;
  return topic <> 'closed' and (portolan.request_context()).name = 'guest';
end $$;
grant execute on function world.may_listen(text) to public;`),
      config: { listenAuthorization: "world.may_listen" },
    });
    // the file graphile.config.ts gives a plugin, beside the options
  });
  after(() => gateway.close());

  it("listen hears what pg_notify sends to its topic, if the function allows it", async () => {
    const socket = await connectAs(gateway, "guest");
    const message = (id: string, topic: string) => ({
      type: "subscribe",
      id,
      schema: "world",
      query:
        "subscription ($topic: String!) { listen(topic: $topic) { topic payload relatedNodeId query { countCountries } } }",
      variables: { topic },
    });
    assert.equal((await socket.ask(message("a", "hello"))).type, "subscribe_ack");
    await query("select pg_notify('postgraphile:other', '1'), pg_notify('postgraphile:hello', $1)", [
      '{"__node__": ["Forum", 1], "x": [1]}',
    ]);
    const { data } = (await socket.take({ type: "subscription", id: "a" })) as unknown as {
      data: { listen: { topic: string; payload: object; relatedNodeId: string; query: { countCountries: number } } };
    };
    assert.deepEqual(data.listen.payload, { __node__: ["Forum", 1], x: [1] });
    assert.equal(data.listen.topic, "hello");
    assert.equal(Buffer.from(data.listen.relatedNodeId, "base64").toString(), '["Forum",1]');
    assert.ok(data.listen.query.countCountries > 200);
    await query("select pg_notify('postgraphile:hello', 'no json')");
    const second = await socket.take({ type: "subscription", id: "a" });
    assert.equal((second["data"] as { listen: { payload: unknown } }).listen.payload, "no json");
    for (const topic of ["secret", "closed"])
      assert.equal((await socket.ask(message(topic, topic)))["error"], "NOT_ALLOWED");
    assert.equal((await socket.ask(message("long", "x".repeat(100))))["error"], "INVALID_SUBSCRIPTION");
    const captain = await connectAs(gateway, "captain");
    assert.equal((await captain.ask(message("b", "hello")))["error"], "NOT_ALLOWED");
    assert.deepEqual(await socket.ask({ type: "unsubscribe", id: "a" }), { type: "complete", id: "a" });
    socket.close();
    captain.close();
  });

  it("a field of a plugin, by extendSchema and listen()", async () => {
    let wrapped = 0;
    const Wrapped = wrapPlans({
      Subscription: {
        AreasMessageAdded(plan) {
          wrapped++;
          return plan();
        },
      },
    });
    const own = await testGateway({ preset: { plugins: [TideSubscription, Wrapped] } });
    try {
      const socket = await connectAs(own, "guest");
      const text = 'subscription { tide(harbour: "Kiel") { metres } CitiesMessageAdded { id } }';
      const ack = await socket.ask({ type: "subscribe", id: "a", schema: "world", query: text });
      assert.equal(ack.type, "subscribe_ack");
      await own.database.client.query(`select pg_notify('tide:Kiel', '{"metres": 1.5}')`);
      assert.deepEqual((await socket.take({ type: "subscription", id: "a" }))["data"], {
        tide: { metres: 1.5 },
        CitiesMessageAdded: null,
      });
      // a wrapped plan runs, though the field is Portolan's
      await socket.ask({
        type: "subscribe",
        id: "b",
        schema: "world",
        query: "subscription { AreasMessageAdded { name } }",
      });
      await own.database.client.query("insert into world.areas (name, path) values ('wrapped', 'wrapped')");
      assert.deepEqual((await socket.take({ type: "subscription", id: "b" }))["data"], {
        AreasMessageAdded: [{ name: "wrapped" }],
      });
      assert.ok(wrapped > 0);
      socket.close();
    } finally {
      await own.close();
    }
  }).timeout(60_000);

  it("a listener that leaves ends the LISTEN, one that comes back hears again", async () => {
    const { openAsGateway } = await import("../support/databases.ts");
    const { createLog } = await import("../../server/ground/log.ts");
    const database = openAsGateway(gateway.database, { name: "topics" });
    const topics = createTopicSubscriber(database, createLog("silent"));
    const first = await topics.subscribe("t");
    const second = await topics.subscribe("t");
    await query("select pg_notify('t', 'one')");
    assert.deepEqual([(await first.next()).value, (await second.next()).value], ["one", "one"]);
    await first.return!();
    assert.equal((await first.next()).done, true);
    await query("select pg_notify('t', 'two')");
    assert.equal((await second.next()).value, "two");
    await second.return!();
    const third = await topics.subscribe("t");
    await query("select pg_notify('t', 'three')");
    assert.equal((await third.next()).value, "three");
    await assert.rejects(topics.subscribe(""), /topic/);
    // a lost connection ends the listeners, since they may have missed something
    const waiting = assert.rejects(third.next());
    await query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query ~* '^listen' and application_name = 'portolan'",
    );
    await waiting;
    const fourth = await topics.subscribe("t");
    await query("select pg_notify('t', 'four')");
    assert.equal((await fourth.next()).value, "four");
    await topics.close();
    await database.close();
  }).timeout(30_000);
});
