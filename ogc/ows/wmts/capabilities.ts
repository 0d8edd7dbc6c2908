/** GetCapabilities of WMTS 1.0.0 (OGC 07-057r7 §7.1): map tiles of the layers that the caller may see. */
import { swap } from "../../../server/types/axes.ts";
import type { Collection } from "../../collections/collections.ts";
import type { Bounds } from "../../collections/bounds.ts";
import { CRS84, type Crs } from "../../crs/crs.ts";
import { JPEG, PNG, type Format } from "../../exchange/formats.ts";
import { DEFAULT_STYLE } from "../../exchange/parameters/table.ts";
import { serviceAbout, serviceProvider } from "../about.ts";
import { readableInSnapshot } from "../../collections/access.ts";
import { hiddenRasters } from "../../maps/mapCollections.ts";
import { scaleOf, sizeAt, type TileMatrixLimits, type TileMatrixSet } from "../../tiles/tileMatrixSet.ts";
import { tileMatrixSetsOf } from "../../tiles/tileMatrixSets.ts";
import { tilesetLimits } from "../../tiles/tilesetLimits.ts";
import type { OwsExchange } from "../exchange.ts";
import { sendKept } from "../kept.ts";
import { INFO_FORMATS } from "../wms/infoFormats.ts";
import { legendAddress } from "../wms/legend.ts";
import { xml, xmlDocument, type Xml } from "../xml.ts";

/** The formats of tiles. */
export const TILE_FORMATS: readonly Format[] = [PNG, JPEG];

export async function wmtsCapabilities(exchange: OwsExchange): Promise<void> {
  const { collections: readable, snapshot } = await readableInSnapshot(exchange, exchange.offered);
  const hidden = await hiddenRasters(exchange, readable);
  const seen = readable.filter((collection) => !hidden.includes(collection));
  const extents = await exchange.extents.ofAll(exchange, seen, snapshot);
  await sendKept(exchange, { seen, extents, mediaType: "application/xml" }, async () => {
    const sets = await tileMatrixSetsOf(exchange);
    const layers: Xml[] = [];
    for (const [index, collection] of seen.entries()) {
      const degrees = extents[index]?.degrees;
      const limits = degrees && seen.length <= MOST_WITH_LIMITS ? await limitsOf(exchange, sets, degrees) : new Map();
      layers.push(layer(exchange, collection, { sets, degrees, limits }));
    }
    return xmlDocument(document(exchange, { seen, layers, sets }));
  });
}

/**
 * The most layers for which a document lists the tile limits: the rows and columns of each level would make it too
 * large.
 */
const MOST_WITH_LIMITS = 50;

/** The limits by the id of a tile matrix set. A set in which the rectangle cannot be computed has none. */
async function limitsOf(
  exchange: OwsExchange,
  sets: readonly TileMatrixSet[],
  degrees: Bounds,
): Promise<LayerContent["limits"]> {
  const all = new Map<string, readonly TileMatrixLimits[]>();
  for (const set of sets) all.set(set.id, await tilesetLimits(exchange, set, degrees));
  return all;
}

interface Contents {
  readonly seen: readonly Collection[];
  readonly layers: readonly Xml[];
  readonly sets: readonly TileMatrixSet[];
}

function document(exchange: OwsExchange, { seen, layers, sets }: Contents): Xml {
  const about = serviceAbout(exchange, seen);
  const { title, description, keywords, constraints } = about;
  return xml`<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0">
<ows:ServiceIdentification><ows:Title>${title}</ows:Title>${description !== undefined && xml`<ows:Abstract>${description}</ows:Abstract>`}${keywords.length > 0 && xml`<ows:Keywords>${keywords.map((word) => xml`<ows:Keyword>${word}</ows:Keyword>`)}</ows:Keywords>`}<ows:ServiceType>OGC WMTS</ows:ServiceType><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion><ows:Fees>none</ows:Fees><ows:AccessConstraints>${constraints}</ows:AccessConstraints></ows:ServiceIdentification>
${serviceProvider(exchange, about)}
${operations(exchange)}
<Contents>${layers}${sets.map(tileMatrixSet)}</Contents>
<ServiceMetadataURL xlink:href="${capabilitiesAddress(exchange.address)}"/></Capabilities>`;
}

/** The operations by each encoding that they have (OGC 07-057r7 §7.1.1.1, §10). Clients that know both take the first. */
function operations({ address, addresses }: OwsExchange): Xml {
  const get = (encoding: "KVP" | "RESTful", href: string): Xml =>
    xml`<ows:Get xlink:href="${href}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>${encoding}</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>`;
  const operation = (name: string, resource?: string): Xml =>
    xml`<ows:Operation name="${name}"><ows:DCP><ows:HTTP>${get("KVP", `${address}?`)}${resource !== undefined && get("RESTful", resource)}</ows:HTTP></ows:DCP></ows:Operation>`;
  return xml`<ows:OperationsMetadata>${operation("GetCapabilities", capabilitiesAddress(address))}${operation("GetTile", addresses.of(["collections"]))}${operation("GetFeatureInfo")}</ows:OperationsMetadata>`;
}

const capabilitiesAddress = (address: string): string => `${address}/wmts/1.0.0/WMTSCapabilities.xml`;

interface LayerContent {
  readonly sets: readonly TileMatrixSet[];
  readonly degrees: Bounds | undefined;
  /** The tiles that have content, by the id of a tile matrix set. */
  readonly limits: ReadonlyMap<string, readonly TileMatrixLimits[]>;
}

/** A layer. Its tiles by REST are those of the OGC API. */
function layer(exchange: OwsExchange, collection: Collection, { sets, degrees, limits }: LayerContent): Xml {
  const { addresses } = exchange;
  const { id, title, description, keywords, license, raster } = collection;
  const tiles = `${addresses.of(["collections", id, "map", "tiles"])}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}`;
  const [west, south, east, north] = degrees ?? [-180, -90, 180, 90];
  return xml`<Layer><ows:Title>${title}</ows:Title>${
    description !== undefined && description !== "" && xml`<ows:Abstract>${description}</ows:Abstract>`
  }${keywords.length > 0 && xml`<ows:Keywords>${keywords.map((word) => xml`<ows:Keyword>${word}</ows:Keyword>`)}</ows:Keywords>`}<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox><ows:Identifier>${id}</ows:Identifier>${license && licence(license)}${stylesElement(exchange, collection)}${TILE_FORMATS.map(
    ({ mediaType }) => xml`<Format>${mediaType}</Format>`,
  )}${raster ? undefined : INFO_FORMATS.map(({ mediaType }) => xml`<InfoFormat>${mediaType}</InfoFormat>`)}${sets.map((set) => xml`<TileMatrixSetLink><TileMatrixSet>${set.id}</TileMatrixSet>${limitsElement(limits.get(set.id))}</TileMatrixSetLink>`)}${TILE_FORMATS.map(
    ({ mediaType, name }) =>
      xml`<ResourceURL format="${mediaType}" resourceType="tile" template="${tiles}?style={Style}&amp;f=${name}"/>`,
  )}</Layer>
`;
}

/** The licence, in the metadata of a layer, since there is no better place for it. */
const licence = ({ name, url }: NonNullable<Collection["license"]>): Xml =>
  xml`<ows:Metadata${url !== undefined && xml` xlink:href="${url}"`} xlink:title="${name}" about="license"/>`;

/** The styles of a layer with their legends. A raster gets an empty one, since each layer must have a style. */
function stylesElement(exchange: OwsExchange, collection: Collection): readonly Xml[] {
  const { styles } = collection;
  const legend = (name: string): Xml =>
    xml`<LegendURL format="${PNG.mediaType}" xlink:href="${legendAddress(exchange, collection, { name, version: "1.3.0" })}"/>`;
  const all = styles.length > 0 ? styles : [{ name: DEFAULT_STYLE, title: undefined }];
  return all.map(
    ({ name, title }, index) =>
      xml`<Style${index === 0 && xml` isDefault="true"`}><ows:Title>${title ?? name}</ows:Title><ows:Identifier>${name}</ows:Identifier>${styles.length > 0 && legend(name)}</Style>`,
  );
}

function limitsElement(all: readonly TileMatrixLimits[] | undefined): Xml | undefined {
  return (
    all &&
    xml`<TileMatrixSetLimits>${all.map((limits) => xml`<TileMatrixLimits><TileMatrix>${limits.tileMatrix}</TileMatrix><MinTileRow>${limits.minTileRow}</MinTileRow><MaxTileRow>${limits.maxTileRow}</MaxTileRow><MinTileCol>${limits.minTileCol}</MinTileCol><MaxTileCol>${limits.maxTileCol}</MaxTileCol></TileMatrixLimits>`)}</TileMatrixSetLimits>`
  );
}

function urn(crs: Crs): string {
  return crs === CRS84 ? "urn:ogc:def:crs:OGC:1.3:CRS84" : `urn:ogc:def:crs:EPSG::${crs.srid}`;
}

/**
 * A tile matrix set. It names no well-known scale set: those of WMTS 1.0.0 (annex E) end at other levels than the
 * registered sets of today.
 */
function tileMatrixSet(set: TileMatrixSet): Xml {
  const { id, crs, origin, tileSize, levels } = set;
  const corner = swap(crs, ...origin).join(" ");
  const matrix = (level: number): Xml => {
    const { columns, rows } = sizeAt(set, level);
    return xml`<TileMatrix><ows:Identifier>${level}</ows:Identifier><ScaleDenominator>${scaleOf(set, level)}</ScaleDenominator><TopLeftCorner>${corner}</TopLeftCorner><TileWidth>${tileSize}</TileWidth><TileHeight>${tileSize}</TileHeight><MatrixWidth>${columns}</MatrixWidth><MatrixHeight>${rows}</MatrixHeight></TileMatrix>`;
  };
  return xml`<TileMatrixSet><ows:Identifier>${id}</ows:Identifier><ows:SupportedCRS>${urn(crs)}</ows:SupportedCRS>${Array.from({ length: levels }, (_, level) => matrix(level))}</TileMatrixSet>
`;
}
