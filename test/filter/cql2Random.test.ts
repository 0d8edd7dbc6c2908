import type pg from "pg";
import { cities, citiesDatabase } from "./cities.ts";
import { checkGenerated } from "./cql2Generated.ts";

describe("random CQL2", () => {
  let client: pg.Client;
  let drop: () => Promise<void>;

  before(async () => ({ client, drop } = await citiesDatabase()));
  after(() => drop());

  it("keeps the rows of the same plain SQL, as text and as JSON: 500 filters", async () => {
    await checkGenerated(client, cities, { seed: 1, count: 500 });
  });
});
