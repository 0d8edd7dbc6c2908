import assert from "node:assert/strict";
import { MapServerFailure, isLoginRefused, mayWorkAgain } from "../../ogc/maps/mapFailure.ts";

/** MapServer's answer to a map whose statement PostgreSQL refused, as version 8.0 writes it. */
function failure(words: string): MapServerFailure {
  const text = `msDrawMap(): Image handling error. Failed to draw layer named &#39;l0_polygon0&#39;. msPostGISLayerWhichShapes(): Query error. Error executing query. Check server logs msPostGISLayerWhichShapes(): Error (${words} ) executing query: SELECT 1`;
  return new MapServerFailure({
    contentType: "application/vnd.ogc.se_xml; charset=UTF-8",
    body: [Buffer.from(text)],
    stderr: "",
    release: () => undefined,
  });
}

describe("a map that MapServer could not draw", () => {
  it("is drawn again where others, or a change of the catalogue, were in the way of its statement", () => {
    for (const words of [
      "ERROR:  deadlock detected",
      "ERROR:  could not serialize access due to a change of the rules",
      "ERROR:  tuple concurrently updated",
      "ERROR:  cache lookup failed for function 4711",
      "ERROR:  could not open relation with OID 4711",
      "ERROR:  permission denied for table plots",
    ])
      assert.equal(mayWorkAgain(failure(words)), true, words);
    assert.equal(mayWorkAgain(failure("ERROR:  division by zero")), false);
  });

  it("is drawn with a new login where the role was dropped and made again", () => {
    assert.equal(isLoginRefused('FATAL:  role "ann@town" does not exist'), true);
    assert.equal(isLoginRefused('FATAL:  database "town" does not exist'), false);
  });
});
