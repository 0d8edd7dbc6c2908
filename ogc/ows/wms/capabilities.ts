/** GetCapabilities of WMS (OGC 06-042 §7.2, 01-068r3 §7.1): the layers that the caller may see. */
import { swapCorners } from "../../../server/types/axes.ts";
import { readableInSnapshot } from "../../collections/access.ts";
import { boundsAround, type Bounds, type Extent } from "../../collections/bounds.ts";
import { inStyle, type Collection } from "../../collections/collections.ts";
import { CRS84, WGS84, type Crs } from "../../crs/crs.ts";
import { MAX_PIXELS, MM_PER_PIXEL } from "../../exchange/parameters/table.ts";
import { serviceAbout, type ServiceAbout } from "../about.ts";
import { PNG } from "../../exchange/formats.ts";
import { hiddenRasters } from "../../maps/mapCollections.ts";
import type { ScaleRange } from "../../maps/style.ts";
import { styleOf, wholeOf } from "../../maps/styleOf.ts";
import type { OwsExchange } from "../exchange.ts";
import { NOW, sendKept } from "../kept.ts";
import { inRegistryOrder, wmsName } from "../systems.ts";
import { xml, xmlDocument, type Xml } from "../xml.ts";
import { INFO_FORMATS } from "./infoFormats.ts";
import { legendAddress } from "./legend.ts";
import { PICTURES } from "./picture.ts";

interface Layer {
  readonly collection: Collection;
  readonly extent: Extent | undefined;
}

export async function wmsCapabilities(exchange: OwsExchange): Promise<void> {
  const { version } = exchange;
  const { collections: readable, snapshot } = await readableInSnapshot(exchange, exchange.offered);
  const hidden = await hiddenRasters(exchange, readable);
  const seen = readable.filter((collection) => !hidden.includes(collection));
  const extents = await exchange.extents.ofAll(exchange, seen, snapshot);
  const mediaType = version === "1.1.1" ? "application/vnd.ogc.wms_xml" : "text/xml";
  await sendKept(exchange, { seen, extents, mediaType }, () => {
    const layers = seen.map((collection, index): Layer => ({ collection, extent: extents[index] }));
    return xmlDocument(version === "1.1.1" ? capabilities111(exchange, layers) : capabilities130(exchange, layers));
  });
}

/** The systems that all layers have in common. */
function commonSystems(layers: readonly Layer[]): readonly Crs[] {
  const [first, ...others] = layers;
  const all = first?.collection.crs ?? [CRS84];
  return all.filter((crs) => others.every(({ collection }) => collection.crs.some(({ uri }) => uri === crs.uri)));
}

function without(all: readonly Crs[], others: readonly Crs[]): readonly Crs[] {
  return all.filter(({ uri }) => !others.some((other) => other.uri === uri));
}

const online = (href: string): Xml =>
  xml`<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${href}"/>`;

interface Described {
  readonly name: string;
  readonly service: ServiceAbout;
  readonly limits: Xml | undefined;
}

function serviceOf(exchange: OwsExchange, { name, service, limits }: Described): Xml {
  const { config, address } = exchange;
  const { contact } = config;
  const described = about(service);
  const person =
    contact?.name === undefined
      ? undefined
      : xml`<ContactPersonPrimary><ContactPerson>${contact.name}</ContactPerson><ContactOrganization>${contact.name}</ContactOrganization></ContactPersonPrimary>`;
  const mail =
    contact?.email === undefined
      ? undefined
      : xml`<ContactElectronicMailAddress>${contact.email}</ContactElectronicMailAddress>`;
  const contactable = person ?? mail;
  return xml`<Service><Name>${name}</Name><Title>${service.title}</Title>${described}${online(contact?.url ?? `${address}?`)}${
    contactable && xml`<ContactInformation>${person}${mail}</ContactInformation>`
  }<Fees>none</Fees><AccessConstraints>${service.constraints}</AccessConstraints>${limits}</Service>`;
}

function requests(
  { address }: OwsExchange,
  capabilitiesType: string,
  extended: (name: string, inside: Xml) => Xml,
): Xml {
  const type = xml`<DCPType><HTTP><Get>${online(`${address}?`)}</Get></HTTP></DCPType>`;
  const formats = (all: readonly string[]): Xml[] => all.map((each) => xml`<Format>${each}</Format>`);
  const pictures = PICTURES.map(({ mediaType }) => mediaType);
  return xml`<Request><GetCapabilities>${formats([capabilitiesType])}${type}</GetCapabilities><GetMap>${formats(pictures)}${type}</GetMap><GetFeatureInfo>${formats(INFO_FORMATS.map(({ mediaType }) => mediaType))}${type}</GetFeatureInfo>${extended("DescribeLayer", xml`${formats(["text/xml"])}${type}`)}${extended("GetLegendGraphic", xml`${formats([PNG.mediaType])}${type}`)}</Request>`;
}

/**
 * A placeholder, since the size of a legend is known only after drawing. 1.1.1 requires a size; 1.3.0 forbids a wrong
 * one.
 */
const LEGEND_SIZE = xml` width="200" height="100"`;

/** The styles, the default one first, as the standard requires. A raster has none. */
function stylesOf(exchange: OwsExchange, collection: Collection): readonly Xml[] {
  const { styles } = collection;
  const { version } = exchange;
  return styles.map(({ name, title }) => {
    const legend = online(legendAddress(exchange, collection, { name, version }));
    return xml`<Style><Name>${name}</Name><Title>${title ?? (styles.length > 1 ? name : "The style of the layer")}</Title><LegendURL${version === "1.1.1" && LEGEND_SIZE}><Format>${PNG.mediaType}</Format>${legend}</LegendURL></Style>`;
  });
}

/** The abstract and keywords of a layer. */
function about({ description, keywords }: Pick<Collection, "description" | "keywords">): Xml {
  return xml`${description !== undefined && description !== "" && xml`<Abstract>${description}</Abstract>`}${
    keywords.length > 0 && xml`<KeywordList>${keywords.map((word) => xml`<Keyword>${word}</Keyword>`)}</KeywordList>`
  }`;
}

/** The licence of a layer, in the attribution, since there is no better place for it. */
const attribution = ({ license }: Collection): Xml | undefined =>
  license &&
  xml`<Attribution><Title>${license.name}</Title>${license.url !== undefined && online(license.url)}</Attribution>`;

/**
 * The scales at which the layer is drawn in one of its styles at least; undefined if there is no limit. A client does not
 * ask for it at others.
 */
function scalesOf({ collections, maps }: OwsExchange, collection: Collection): Scales | undefined {
  if (!maps) return undefined;
  const whole = wholeOf(collections, collection);
  const styles = whole.styles.map(({ name }) => styleOf(inStyle(whole, name), maps.log));
  const classes = styles.flatMap((style): readonly ScaleRange[] => style ?? [{}]);
  const min = Math.min(...classes.map(({ minScale = 0 }) => minScale));
  const max = Math.max(...classes.map(({ maxScale = Infinity }) => maxScale));
  return classes.length > 0 && (min > 0 || max < Infinity) ? { min, max } : undefined;
}

interface Scales {
  readonly min: number;
  readonly max: number;
}

const denominators = ({ min, max }: Scales): Xml =>
  xml`${min > 0 && xml`<MinScaleDenominator>${min}</MinScaleDenominator>`}${max < Infinity && xml`<MaxScaleDenominator>${max}</MaxScaleDenominator>`}`;

/** A scale as 1.1.1 has it (OGC 01-068r3 §7.1.4.5.8): the diagonal of a pixel, in metres on the ground. */
const diagonal = (scale: number): number => (scale * MM_PER_PIXEL * Math.SQRT2) / 1000;
const scaleHint = ({ min, max }: Scales): Xml => xml`<ScaleHint min="${diagonal(min)}" max="${diagonal(max)}"/>`;

type Attribute = "CRS" | "SRS";

function box(attribute: Attribute, name: string, [minx, miny, maxx, maxy]: Bounds): Xml {
  return xml`<BoundingBox ${attribute}="${name}" minx="${minx}" miny="${miny}" maxx="${maxx}" maxy="${maxy}"/>`;
}

/** A rectangle in degrees. OGC 06-042 §7.2.4.6.8 requires one of each layer, also of an empty one. */
function boxesInDegrees(degrees: Bounds, attribute: Attribute): readonly Xml[] {
  if (attribute === "SRS") return [box(attribute, "EPSG:4326", degrees)];
  return [box(attribute, "CRS:84", degrees), box(attribute, "EPSG:4326", swapCorners({ flipped: true }, degrees))];
}

/** Rectangles of a layer: in degrees, and in the storage system. */
function boxes(layer: Layer, attribute: Attribute): readonly Xml[] {
  const { collection, extent } = layer;
  const inDegrees = boxesInDegrees(boundsOf(layer), attribute);
  const own = collection.crs.find((crs) => crs !== CRS84 && crs.srid === collection.geometry?.srid);
  if (!own || !extent?.storage || own.srid === WGS84) return inDegrees;
  const order = attribute === "SRS" ? { flipped: false } : inRegistryOrder(own);
  return [...inDegrees, box(attribute, wmsName(own), swapCorners(order, extent.storage))];
}

const WORLD: Bounds = [-180, -90, 180, 90];
const boundsOf = ({ extent }: Layer): Bounds => extent?.degrees ?? WORLD;
/** The rectangle around the layers whose extent is known. */
const around = (layers: readonly Layer[]): Bounds =>
  boundsAround(layers.flatMap(({ extent }) => (extent ? [extent.degrees] : []))) ?? WORLD;

function range({ since }: Collection): string | undefined {
  return since && `${since.toISOString()}/${NOW}/PT1S`;
}

function capabilities130(exchange: OwsExchange, layers: readonly Layer[]): Xml {
  const common = commonSystems(layers);
  const service = serviceAbout(exchange, layers.map(({ collection }) => collection)); // oxfmt-ignore
  const systems = (all: readonly Crs[]): Xml[] => all.map((crs) => xml`<CRS>${wmsName(crs)}</CRS>`);
  const place = ([west, south, east, north]: Bounds): Xml =>
    xml`<EX_GeographicBoundingBox><westBoundLongitude>${west}</westBoundLongitude><eastBoundLongitude>${east}</eastBoundLongitude><southBoundLatitude>${south}</southBoundLatitude><northBoundLatitude>${north}</northBoundLatitude></EX_GeographicBoundingBox>`;
  const root = around(layers);
  const limits = xml`<LayerLimit>${exchange.config.mapCollections}</LayerLimit><MaxWidth>${MAX_PIXELS}</MaxWidth><MaxHeight>${MAX_PIXELS}</MaxHeight>`;
  const layer = (each: Layer): Xml => {
    const { collection } = each;
    const time = range(collection);
    const scales = scalesOf(exchange, collection);
    return xml`<Layer queryable="${collection.raster ? 0 : 1}"><Name>${collection.id}</Name><Title>${collection.title}</Title>${about(collection)}${systems(without(collection.crs, common))}${place(boundsOf(each))}${boxes(each, "CRS")}${
      time !== undefined &&
      xml`<Dimension name="time" units="ISO8601" default="current" current="1">${time}</Dimension>`
    }${attribution(collection)}${stylesOf(exchange, collection)}${scales && denominators(scales)}</Layer>
`;
  };
  return xml`<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:sld="http://www.opengis.net/sld" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd http://www.opengis.net/sld http://schemas.opengis.net/sld/1.1.0/sld_capabilities.xsd">
${serviceOf(exchange, { name: "WMS", service, limits })}
<Capability>${requests(exchange, "text/xml", (name, inside) => xml`<sld:${name}>${inside}</sld:${name}>`)}<Exception><Format>XML</Format></Exception>
<Layer><Title>${service.title}</Title>${systems(common)}${place(root)}${boxesInDegrees(root, "CRS")}
${layers.map(layer)}</Layer></Capability></WMS_Capabilities>`;
}

function capabilities111(exchange: OwsExchange, layers: readonly Layer[]): Xml {
  const common = commonSystems(layers);
  const service = serviceAbout(exchange, layers.map(({ collection }) => collection)); // oxfmt-ignore
  const systems = (all: readonly Crs[]): Xml[] =>
    all.filter((crs) => crs !== CRS84).map((crs) => xml`<SRS>${wmsName(crs)}</SRS>`);
  const place = ([minx, miny, maxx, maxy]: Bounds): Xml =>
    xml`<LatLonBoundingBox minx="${minx}" miny="${miny}" maxx="${maxx}" maxy="${maxy}"/>`;
  const layer = (each: Layer): Xml => {
    const { collection } = each;
    const time = range(collection);
    const scales = scalesOf(exchange, collection);
    return xml`<Layer queryable="${collection.raster ? 0 : 1}"><Name>${collection.id}</Name><Title>${collection.title}</Title>${about(collection)}${systems(without(collection.crs, common))}${place(boundsOf(each))}${boxes(each, "SRS")}${
      time !== undefined &&
      xml`<Dimension name="time" units="ISO8601"/><Extent name="time" default="current">${time}</Extent>`
    }${attribution(collection)}${stylesOf(exchange, collection)}${scales && scaleHint(scales)}</Layer>
`;
  };
  return xml`<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_MS_Capabilities.dtd">
<WMT_MS_Capabilities version="1.1.1">
${serviceOf(exchange, { name: "OGC:WMS", service, limits: undefined })}
<Capability>${requests(exchange, "application/vnd.ogc.wms_xml", (name, inside) => xml`<${name}>${inside}</${name}>`)}<Exception><Format>application/vnd.ogc.se_xml</Format></Exception>
<Layer><Title>${service.title}</Title>${systems(common)}${place(around(layers))}${boxesInDegrees(around(layers), "SRS")}
${layers.map(layer)}</Layer></Capability></WMT_MS_Capabilities>`;
}
