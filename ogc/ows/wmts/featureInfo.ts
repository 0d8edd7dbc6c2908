/** GetFeatureInfo of WMTS 1.0.0 (OGC 07-057r7 §7.3): the features at a pixel of a tile. */
import { MM_PER_PIXEL } from "../../exchange/parameters/table.ts";
import { sendText } from "../../exchange/exchange.ts";
import { sizeAt } from "../../tiles/tileMatrixSet.ts";
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { featuresFound, infoFormatNamed, refuseRasters } from "../wms/featureInfo.ts";
import { pictureFormat } from "../wms/picture.ts";
import { TILE_FORMATS } from "./capabilities.ts";
import { tileAsked } from "./tile.ts";

/** The most features in an answer, since WMTS has no parameter for it. */
const MOST = 50;

export async function wmtsFeatureInfo(exchange: OwsExchange): Promise<void> {
  const { given } = exchange;
  const { layer = "", style = "", format = "", i = 0, j = 0 } = given;
  pictureFormat(format, TILE_FORMATS);
  const info = infoFormatNamed(given.infoformat ?? "", "infoformat");
  const { set, tile } = await tileAsked(exchange);
  const { tileSize: side } = set;
  if (i >= side || j >= side)
    throw exception("PointIJOutOfRange", "I and J: the pixel is outside of the tile", i >= side ? "i" : "j");
  const { collections, confirm } = await layersNamed(exchange, [layer], [style]);
  refuseRasters(collections, "layer");
  await confirm();
  const { cell } = sizeAt(set, tile.address.matrix);
  const scale = (cell * set.crs.metres * 1000) / MM_PER_PIXEL;
  const frame = { crs: set.crs, bounds: tile.bounds, seam: undefined, width: side, height: side, scale, mmPerPixel: MM_PER_PIXEL }; // oxfmt-ignore
  const found = await featuresFound(exchange, collections, { frame, i, j, most: MOST });
  sendText(exchange, { mediaType: info.mediaType, text: info.write(found), links: [] });
}
