/** GetMap (OGC 06-042 §7.3, 01-068r3 §7.2): a picture of layers, drawn like the maps of the OGC API. */
import { GatewayError } from "../../../server/ground/errors.ts";
import { setHeaders } from "../../../server/kernel/http/answer.ts";
import { contentDatetime } from "../../exchange/parameters/datetime.ts";
import { drawFrame } from "../../maps/map.ts";
import { drawable } from "../../maps/mapCrop.ts";
import { sendImage } from "../../maps/mapImage.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { frameOf, pictureFormat, refuseTooMany, stylesAsked } from "./picture.ts";

export async function getMap(exchange: OwsExchange): Promise<void> {
  const { request, response, given, maps } = exchange;
  const { layers = [], format: name = "", transparent = false, bgcolor } = given;
  if (!maps) throw new GatewayError("MAP_BACKEND_ERROR", "MapServer is not installed here");
  const styles = stylesAsked(exchange, layers);
  const format = pictureFormat(name);
  refuseTooMany(exchange, layers);
  const admission = await layersNamed(exchange, layers, styles);
  const frame = frameOf(exchange, admission.collections);
  const { width, height } = drawable(frame);
  maps.server.refuseTooLarge(width * height);
  const headers = { "Content-Type": format.mediaType, ...contentDatetime(admission.collections) };
  if (request.method === "HEAD") {
    await admission.confirm();
    setHeaders(response, headers);
    response.end();
    return;
  }
  const drawn = {
    ...exchange,
    format,
    parameters: { ...exchange.parameters, transparent, ...(bgcolor !== undefined && { bgcolor }) },
  };
  await drawFrame(drawn, maps, admission, {
    frame,
    async send(image) {
      setHeaders(response, headers);
      await sendImage(response, image);
    },
  });
}
