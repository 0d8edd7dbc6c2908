/** The small form of test/soak/fleet.soak.ts. */
import { tellFleetHistory } from "../support/fleetFaults.ts";

describe("a fleet over NATS", () => {
  tellFleetHistory({ gateways: 2, subscribers: 6, writers: 2, pauseMs: 150, faultMs: 1500 });
});
