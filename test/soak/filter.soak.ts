import { cities, citiesDatabase } from "../filter/cities.ts";
import { checkGenerated } from "../filter/cql2Generated.ts";

describe("many CQL2 filters", () => {
  it("made at random keep the rows of the same plain SQL: 5,000 filters", async function () {
    this.timeout(600_000);
    const { client, drop } = await citiesDatabase();
    const seed = Math.floor(Math.random() * 2 ** 31);
    try {
      await checkGenerated(client, cities, { seed, count: 5000 });
    } finally {
      await drop();
    }
  });
});
