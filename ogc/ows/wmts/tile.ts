/** GetTile of WMTS 1.0.0 (OGC 07-057r7 §7.2): a map tile, the same as that of the OGC API. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { ROUTES } from "../../door/routes.ts";
import { collectionMapTile } from "../../tiles/mapTile.ts";
import { tileMatrixSetOf, tileOf } from "../../tiles/tileMatrixSets.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { pictureFormat } from "../wms/picture.ts";
import { TILE_FORMATS } from "./capabilities.ts";

export async function getTile(exchange: OwsExchange): Promise<void> {
  const { layer = "", style = "", format: name = "" } = exchange.given;
  const format = pictureFormat(name, TILE_FORMATS);
  const { pathParameters } = await tileAsked(exchange);
  const { collections, confirm } = await layersNamed(exchange, [layer], [style]);
  const route = ROUTES.find(({ id }) => id === "portolan.collection.map.getTile")!;
  await collectionMapTile({ ...exchange, route, format, pathParameters, collection: collections[0]!, confirm }).catch(
    (error: unknown) => {
      throw asException(error, "TileOutOfRange", "tilerow");
    },
  );
}

/** The requested tile, with the path parameters that the OGC API would have for it. */
export async function tileAsked(exchange: OwsExchange) {
  const { tilematrixset: tileMatrixSetId = "", tilematrix: tileMatrix = "" } = exchange.given;
  const { tilerow: tileRow = "", tilecol: tileCol = "" } = exchange.given;
  const pathParameters = { tileMatrixSetId, tileMatrix, tileRow, tileCol };
  const set = await tileMatrixSetOf({ ...exchange, pathParameters }).catch((error: unknown) => {
    throw asException(error, "InvalidParameterValue", "tilematrixset");
  });
  try {
    return { set, pathParameters, tile: tileOf({ pathParameters }, set) };
  } catch (error) {
    const isLevel = /^(0|[1-9][0-9]{0,2})$/.test(tileMatrix) && Number(tileMatrix) < set.levels;
    throw isLevel
      ? asException(error, "TileOutOfRange", "tilerow")
      : asException(error, "InvalidParameterValue", "tilematrix");
  }
}

/** Turns an error for a missing thing into an exception of WMTS; other errors stay as they are. */
function asException(error: unknown, code: "InvalidParameterValue" | "TileOutOfRange", locator: string): unknown {
  return error instanceof GatewayError && error.code === "NOT_FOUND" ? exception(code, error.message, locator) : error;
}
