/** Faults of a fleet at their real duration: 1,000 subscribers, all of NATS away for a minute. */
import { tellFleetHistory } from "../support/fleetFaults.ts";

const { GATEWAYS = "4", SUBSCRIBERS = "1000", FAULT_MS = "60000" } = process.env;
/**
 * A transaction of the writers has about 36 events, and each subscriber gets most of them. Two cores can deliver this
 * rate.
 */
const PAUSE_MS_EACH = 4;

describe("a history of a fleet over NATS", function () {
  this.timeout(900_000);
  tellFleetHistory(
    {
      gateways: Number(GATEWAYS),
      subscribers: Number(SUBSCRIBERS),
      writers: 4,
      pauseMs: PAUSE_MS_EACH * Number(SUBSCRIBERS),
      faultMs: Number(FAULT_MS),
      patienceMs: 300_000,
    },
    true,
  );
});
