import { describeGroups } from "../support/manyGroups.ts";

/** The small form of test/soak/groups.soak.ts; a busy machine may take longer than a person likes. */
describeGroups({ count: 60, mostMs: 30_000, print: () => undefined });
