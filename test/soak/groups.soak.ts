/** Many groups (support/manyGroups.ts). `SOAK_GROUPS` (1000; 10000 takes one to four minutes). */
import { describeGroups } from "../support/manyGroups.ts";

const count = Number(process.env["SOAK_GROUPS"] ?? 1000);
/** A person waits for a sign-in. */
describeGroups({ count, mostMs: 2000, print: (text) => process.stdout.write(`${text}\n`) });
