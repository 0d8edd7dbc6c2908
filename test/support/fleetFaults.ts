/** The faults of a fleet over NATS, each a chapter of `FleetHistory`. */
import { setTimeout } from "node:timers/promises";
import { FleetHistory, PATIENCE_MS, type FleetSize, type Member } from "./fleetHistory.ts";
import { until } from "./until.ts";

const HOUR_MS = 3_600_000;

/**
 * The chapters, each a fault; `size` sets the number of rows and the duration. `more` adds those that take long in any
 * size.
 */
export function tellFleetHistory(size: FleetSize, more = false): void {
  let fleet: FleetHistory;
  before(async () => (fleet = await FleetHistory.start(size)));
  after(() => fleet.close());
  const notReader = async (): Promise<Member> => {
    const reader = await fleet.reader();
    return fleet.members.find((member) => member !== reader)!;
  };

  it("a gateway is killed", () =>
    fleet.chapter("gateway killed", async (goneMs) => fleet.replace(await notReader(), { goneMs })));

  it("the gateway that reads is killed", () =>
    fleet.chapter("reader killed", async (goneMs) => fleet.replace(await fleet.reader(), { goneMs })));

  it("the gateway that reads is frozen, another reads, and both are there again", () =>
    fleet.chapter("reader frozen", async (faultMs) => {
      const { process: frozen } = await fleet.reader();
      process.kill(frozen.pid, "SIGSTOP");
      try {
        await until(async () => (await fleet.reader()).process !== frozen, PATIENCE_MS);
        await setTimeout(faultMs);
      } finally {
        process.kill(frozen.pid, "SIGCONT");
      }
      await setTimeout(1000);
    }));

  it("a gateway hangs", () =>
    fleet.chapter("gateway hung", async (faultMs) => {
      const { process: frozen } = await notReader();
      process.kill(frozen.pid, "SIGSTOP");
      await setTimeout(faultMs);
      process.kill(frozen.pid, "SIGCONT");
    }));

  it("a gateway is cut off from NATS", () =>
    fleet.chapter("cut off from NATS", async (faultMs) => {
      const { toNats } = await notReader();
      toNats.cut();
      await setTimeout(faultMs);
      toNats.heal();
    }));

  it("the gateway that reads is cut off from NATS", () =>
    fleet.chapter("reader cut off from NATS", async (faultMs) => {
      const { toNats } = await fleet.reader();
      toNats.cut();
      await setTimeout(faultMs);
      toNats.heal();
    }));

  it("the gateway that reads is cut off from PostgreSQL, another reads, and it comes back", () =>
    fleet.chapter("reader cut off from PostgreSQL", async (faultMs) => {
      const reader = await fleet.reader();
      reader.toPostgres.cut();
      await until(async () => (await fleet.reader()) !== reader, PATIENCE_MS);
      await setTimeout(faultMs);
      reader.toPostgres.heal();
    }));

  it("NATS is frozen", () =>
    fleet.chapter("NATS frozen", async (faultMs) => {
      fleet.nats.signal("SIGSTOP");
      await setTimeout(faultMs);
      fleet.nats.signal("SIGCONT");
    }));

  it("NATS is killed, and back", () =>
    fleet.chapter("NATS killed", async (faultMs) => {
      await fleet.nats.end();
      await setTimeout(faultMs);
      await fleet.nats.start();
      await setTimeout(1000);
    }));

  if (more) tellMore(() => fleet, notReader);
}

function tellMore(fleet: () => FleetHistory, notReader: () => Promise<Member>): void {
  it("a gateway is ended by SIGTERM, and another takes its place", () =>
    fleet().chapter("gateway ended by SIGTERM", async (goneMs) =>
      fleet().replace(await fleet().reader(), { signal: "SIGTERM", goneMs }),
    ));

  for (const [what, aheadMs] of [
    ["ahead", HOUR_MS],
    ["behind", -HOUR_MS],
  ] as const)
    it(`the clock of the host that reads is an hour ${what}`, () =>
      fleet().chapter(`clock an hour ${what}`, async (faultMs) => {
        const wrong = await fleet().reader();
        await fleet().replace(wrong, { aheadMs });
        const others = fleet().members.filter((member) => member !== wrong);
        for (const other of others) await other.process.stop("SIGKILL");
        await until(async () => (await fleet().reader()) === wrong, PATIENCE_MS); // it keeps reading when they are back
        for (const other of others) await fleet().replace(other);
        await setTimeout(faultMs);
        await fleet().replace(wrong);
      }));

  for (const [from, way] of [
    ["NATS", "toNats"],
    ["PostgreSQL", "toPostgres"],
  ] as const)
    it(`rights, a rule and a password are changed, and the table too, while a gateway is cut off from ${from}`, () =>
      fleet().chapter(`rights taken, cut off from ${from}`, async (faultMs) => {
        const { [way]: cut } = await notReader();
        const at = from.toLowerCase();
        const rule = JSON.stringify({ schema: "town", table: "chain", username: `ruled_${at}`, access: "deny" });
        await fleet().takeRights(
          {
            [`revoked_${at}`]: `select portolan.set_privilege('town.chain', 'revoked_${at}', 'none')`,
            [`ruled_${at}`]: `select portolan.create_rule('${rule}')`,
            [`known_${at}`]: `select portolan.set_password('known_${at}', 'another one')`,
            [`removed_${at}`]: `select portolan.drop_user('removed_${at}')`,
          },
          `alter table town.chain add column added_${at} int`,
          () => cut.cut(),
        );
        await setTimeout(faultMs);
        cut.heal();
      }));
}
