import { stopTestCluster } from "./databases.ts";

// Grafast reads it when it is loaded, which is after this file: its checks of plans are on
process.env["GRAPHILE_ENV"] ??= "test";

export const mochaHooks = {
  async afterAll(): Promise<void> {
    await stopTestCluster();
  },
};
