/** DescribeLayer (OGC 05-078r4 §8; 1.1.1: OGC 01-068r3 with SLD 1.0): the addresses of the layers' features. */
import { sendText } from "../../exchange/exchange.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed } from "../layers.ts";
import { PREFIX, toXmlName } from "../wfs/names.ts";
import { xml, xmlDocument } from "../xml.ts";
import { stylesAsked } from "./picture.ts";

export async function describeLayer(exchange: OwsExchange): Promise<void> {
  const { version, address, given } = exchange;
  const { layers = [] } = given;
  stylesAsked(exchange, layers);
  const { collections, confirm } = await layersNamed(exchange, layers);
  await confirm();
  const href = `${address}?`;
  const body =
    version === "1.1.1"
      ? xml`<!DOCTYPE WMS_DescribeLayerResponse SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_DescribeLayerResponse.dtd">
<WMS_DescribeLayerResponse version="1.1.1">${collections.map(({ id, raster }) =>
          raster
            ? xml`<LayerDescription name="${id}"/>`
            : xml`<LayerDescription name="${id}" wfs="${href}" owsType="WFS" owsURL="${href}"><Query typeName="${PREFIX}:${toXmlName(id)}"/></LayerDescription>`,
        )}</WMS_DescribeLayerResponse>`
      : xml`<DescribeLayerResponse xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:xlink="http://www.w3.org/1999/xlink"><Version>1.1.0</Version>${collections.map(
          ({ id, raster }) =>
            xml`<LayerDescription><owsType>${raster ? "wcs" : "wfs"}</owsType><se:OnlineResource xlink:type="simple" xlink:href="${href}"/><TypeName>${raster ? xml`<se:CoverageTypeName>${id}</se:CoverageTypeName>` : xml`<se:FeatureTypeName>${PREFIX}:${toXmlName(id)}</se:FeatureTypeName>`}</TypeName></LayerDescription>`,
        )}</DescribeLayerResponse>`;
  sendText(exchange, {
    mediaType: version === "1.1.1" ? "application/vnd.ogc.wms_xml" : "text/xml",
    text: xmlDocument(body),
    links: [],
  });
}
