/** `/collections/{collectionId}/legend`: the classes of a collection's style, with their symbols and names. */
import { GatewayError } from "../../server/ground/errors.ts";
import type { CollectionExchange } from "../exchange/exchange.ts";
import { spatial } from "../collections/collections.ts";
import { PNG } from "../exchange/formats.ts";
import { mapCaller } from "./mapConnection.ts";
import { sendImage } from "./mapImage.ts";
import { LEGEND, legendLayers } from "./mapLayer.ts";
import { inStyleAsked, styleOf, wholeOf } from "./styleOf.ts";

/** The pixels that a legend takes from the budget, since its size is known only after drawing. */
const PIXELS = 1_000_000;

export async function legend(exchange: CollectionExchange): Promise<void> {
  const { request, response, collections, database, maps, context } = exchange;
  const collection = inStyleAsked(exchange, exchange.collection);
  if (!maps) throw new GatewayError("MAP_BACKEND_ERROR", "MapServer is not installed here");
  if (collection.raster)
    throw new GatewayError("INVALID_PARAMETER", `${collection.id} is a raster, which has no legend`);
  const key = `${LEGEND} ${database.name} ${collection.id} ${collection.styleName ?? ""}`;
  const file = await maps.files.of(key, [collection], () =>
    Promise.resolve({
      layers: legendLayers(spatial(collection), styleOf(wholeOf(collections, collection), maps.log)),
      srids: [4326],
    }),
  );
  response.setHeader("Content-Type", PNG.mediaType);
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const query = new URLSearchParams({
    map: file.path,
    SERVICE: "WMS",
    VERSION: "1.1.1",
    REQUEST: "GetLegendGraphic",
    LAYER: LEGEND,
    FORMAT: PNG.mediaType,
  });
  await maps.server.draw(
    {
      query: query.toString(),
      mediaType: PNG.mediaType,
      pixels: PIXELS,
      connection: undefined,
      login: undefined,
      caller: mapCaller(exchange),
      signal: context.signal,
      requestId: request.requestId,
      confirm: () => exchange.confirm(),
      checkRights: () => exchange.confirm(),
      readmit: () => Promise.resolve(),
      endLate: () => undefined,
    },
    (image) => sendImage(response, image),
  );
}
