/** A fleet over three NATS servers that share the order of events. One of them is killed, and started again. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { jetstreamManager, type StreamInfo } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { FleetHistory } from "../support/fleetHistory.ts";
import { until } from "../support/until.ts";

const { GATEWAYS = "4", SUBSCRIBERS = "100", FAULT_MS = "20000" } = process.env;

describe("a fleet over three NATS servers", function () {
  this.timeout(300_000);
  let fleet: FleetHistory;
  before(async () => {
    fleet = await FleetHistory.start({
      gateways: Number(GATEWAYS),
      subscribers: Number(SUBSCRIBERS),
      writers: 4,
      pauseMs: 4 * Number(SUBSCRIBERS),
      faultMs: Number(FAULT_MS),
      natsServers: 3,
    });
  });
  after(() => fleet.close());

  /** As a living server reports it. */
  async function stream(server = 0): Promise<StreamInfo | undefined> {
    const connection = await connect({ servers: fleet.natsServers[server]!.url, reconnect: false });
    try {
      const manager = await jetstreamManager(connection);
      return (await manager.streams.list().next()).find(({ config }) => config.name.startsWith("PORTOLAN_"));
    } finally {
      await connection.close();
    }
  }

  it("each server has the order of events", async () => {
    assert.equal((await stream())?.config.num_replicas, 3);
  });

  for (const [which, isLeader] of [
    ["the one that leads", true],
    ["another", false],
  ] as const)
    it(`${which} is killed, and back: positions are taken from the other two`, () =>
      fleet.chapter(`NATS server of three killed (${which})`, async (faultMs) => {
        const leader = Number((await stream())?.cluster?.leader?.slice(1));
        const killed = isLeader ? leader : (leader + 1) % 3;
        const living = (killed + 1) % 3;
        await fleet.natsServers[killed]!.end();
        let before: number | undefined;
        await until(async () => {
          const last = (await stream(living).catch(() => undefined))?.state.last_seq; // while they elect another leader
          before ??= last;
          return last !== undefined && last > before! + 2;
        });
        await setTimeout(faultMs);
        await fleet.natsServers[killed]!.start();
        await setTimeout(1000);
      }));
});
