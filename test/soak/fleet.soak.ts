/** Faults of a fleet for as long as they last in earnest: 1,000 subscribers, all of NATS away for a minute. */
import { tellFleetHistory } from "../support/fleetFaults.ts";

const { GATEWAYS = "4", SUBSCRIBERS = "1000", FAULT_MS = "60000" } = process.env;

describe("a history of a fleet over NATS", function () {
  this.timeout(900_000);
  tellFleetHistory(
    {
      gateways: Number(GATEWAYS),
      subscribers: Number(SUBSCRIBERS),
      writers: 4,
      pauseMs: 20,
      faultMs: Number(FAULT_MS),
    },
    true,
  );
});
