/** GetCapabilities of WFS (OGC 09-025r2 §8, 04-094 §13): the types that the caller may see. */
import { FES_OPERATORS } from "../../../server/filter/fes/read.ts";
import { readableInSnapshot } from "../../collections/access.ts";
import type { Bounds } from "../../collections/bounds.ts";
import type { Collection } from "../../collections/collections.ts";
import { writeCommands, type Command } from "../../editing/writeRights.ts";
import { serviceAbout, serviceProvider, type ServiceAbout } from "../about.ts";
import type { OwsExchange } from "../exchange.ts";
import { sendKept } from "../kept.ts";
import { Xml, xml, xmlDocument } from "../xml.ts";
import { MOST } from "./answer.ts";
import { DIALECTS, PREFIX, toXmlName } from "./names.ts";
import { systemsOf, urnOf } from "./systems.ts";

export async function wfsCapabilities(exchange: OwsExchange): Promise<void> {
  const { collections, snapshot } = await readableInSnapshot(exchange, exchange.offered);
  const seen = collections.filter(({ raster }) => !raster);
  const extents = await exchange.extents.ofAll(exchange, seen, snapshot);
  const mediaType = exchange.version === "1.1.0" ? "text/xml" : "application/xml";
  const commandsOf = await writeCommands(exchange, seen);
  const commands = seen.map((collection) => commandsOf.get(collection) ?? []);
  await sendKept(exchange, { seen, extents, mediaType, variant: commands.join(";") }, () => {
    const types = seen.map((collection, index) =>
      featureType(exchange, collection, { degrees: extents[index]?.degrees, commands: commands[index]! }),
    );
    const isWritable = commands.some(({ length }) => length > 0);
    return xmlDocument(document(exchange, { about: serviceAbout(exchange, seen), types, isWritable }));
  });
}

interface Contents {
  readonly about: ServiceAbout;
  readonly types: readonly Xml[];
  readonly isWritable: boolean;
}

function document(exchange: OwsExchange, { about, types, isWritable }: Contents): Xml {
  const { version, namespace } = exchange;
  const { wfs, wfsSchema, ows, gml } = DIALECTS[version]!;
  const filters = version === "1.1.0" ? "http://www.opengis.net/ogc" : "http://www.opengis.net/fes/2.0";
  const { title, description, keywords, constraints } = about;
  return xml`<wfs:WFS_Capabilities version="${version}" xmlns:wfs="${wfs}" xmlns:ows="${ows}" xmlns:gml="${gml}" xmlns:fes="${filters}" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:${PREFIX}="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${wfs} ${wfsSchema}">
<ows:ServiceIdentification><ows:Title>${title}</ows:Title>${description !== undefined && xml`<ows:Abstract>${description}</ows:Abstract>`}${keywords.length > 0 && xml`<ows:Keywords>${keywords.map((word) => xml`<ows:Keyword>${word}</ows:Keyword>`)}</ows:Keywords>`}<ows:ServiceType>WFS</ows:ServiceType><ows:ServiceTypeVersion>${version}</ows:ServiceTypeVersion><ows:Fees>none</ows:Fees><ows:AccessConstraints>${constraints}</ows:AccessConstraints></ows:ServiceIdentification>
${serviceProvider(exchange, about)}
${operations(exchange, isWritable)}
<wfs:FeatureTypeList>${version === "1.1.0" && xml`<wfs:Operations><wfs:Operation>Query</wfs:Operation></wfs:Operations>`}${types}</wfs:FeatureTypeList>
${version === "1.1.0" ? FILTERS_1_1 : FILTERS_2_0}</wfs:WFS_Capabilities>`;
}

const GML_OPERANDS = [
  ...["Envelope", "Point", "LineString", "Curve", "Polygon", "Surface", "MultiPoint", "MultiCurve", "MultiSurface"],
  ...["MultiLineString", "MultiPolygon", "MultiGeometry"],
].map((name) => `gml:${name}`);

/** The names of comparisons in Filter 1.1, which differ. */
const COMPARISONS_1_1 = [
  ...["LessThan", "GreaterThan", "LessThanEqualTo", "GreaterThanEqualTo", "EqualTo", "NotEqualTo", "Like", "Between"],
  "NullCheck",
];
const FILTERS_1_1 = xml`<fes:Filter_Capabilities><fes:Spatial_Capabilities><fes:GeometryOperands>${GML_OPERANDS.filter((name) => !/(Curve|Surface)$/.test(name)).map((name) => xml`<fes:GeometryOperand>${name}</fes:GeometryOperand>`)}</fes:GeometryOperands><fes:SpatialOperators>${FES_OPERATORS.spatial.map((name) => xml`<fes:SpatialOperator name="${name}"/>`)}</fes:SpatialOperators></fes:Spatial_Capabilities><fes:Scalar_Capabilities><fes:LogicalOperators/><fes:ComparisonOperators>${COMPARISONS_1_1.map((name) => xml`<fes:ComparisonOperator>${name}</fes:ComparisonOperator>`)}</fes:ComparisonOperators><fes:ArithmeticOperators><fes:SimpleArithmetic/></fes:ArithmeticOperators></fes:Scalar_Capabilities><fes:Id_Capabilities><fes:EID/><fes:FID/></fes:Id_Capabilities></fes:Filter_Capabilities>`;
const CLASSES: Readonly<Record<string, boolean>> = {
  ImplementsQuery: true,
  ImplementsAdHocQuery: true,
  ImplementsFunctions: false,
  ImplementsResourceId: true,
  ImplementsMinStandardFilter: true,
  ImplementsStandardFilter: true,
  ImplementsMinSpatialFilter: true,
  ImplementsSpatialFilter: true,
  ImplementsMinTemporalFilter: true,
  ImplementsTemporalFilter: true,
  ImplementsVersionNav: false,
  ImplementsSorting: true,
  ImplementsMinimumXPath: true,
  ImplementsExtendedOperators: false,
};
const constraint = (name: string, value: boolean): Xml =>
  xml`<ows:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${value ? "TRUE" : "FALSE"}</ows:DefaultValue></ows:Constraint>`;
const fesConstraint = (name: string, value: boolean): Xml =>
  xml`<fes:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${value ? "TRUE" : "FALSE"}</ows:DefaultValue></fes:Constraint>`;
const named = (element: string, names: readonly string[]): readonly Xml[] =>
  names.map((name) => xml`<fes:${new Xml(element)} name="${name}"/>`);
/** The temporal operators. The schema of FES 2.0 lacks the name AnyInteracts, though its text has it. */
const TEMPORAL_2_0 = FES_OPERATORS.temporal.filter((name) => name !== "AnyInteracts");
const FILTERS_2_0 = xml`<fes:Filter_Capabilities><fes:Conformance>${Object.entries(CLASSES).map(([name, value]) => fesConstraint(name, value))}</fes:Conformance><fes:Id_Capabilities><fes:ResourceIdentifier name="fes:ResourceId"/></fes:Id_Capabilities><fes:Scalar_Capabilities><fes:LogicalOperators/><fes:ComparisonOperators>${named("ComparisonOperator", FES_OPERATORS.comparison)}</fes:ComparisonOperators></fes:Scalar_Capabilities><fes:Spatial_Capabilities><fes:GeometryOperands>${named("GeometryOperand", GML_OPERANDS)}</fes:GeometryOperands><fes:SpatialOperators>${named("SpatialOperator", FES_OPERATORS.spatial)}</fes:SpatialOperators></fes:Spatial_Capabilities><fes:Temporal_Capabilities><fes:TemporalOperands>${named("TemporalOperand", ["gml:TimeInstant", "gml:TimePeriod"])}</fes:TemporalOperands><fes:TemporalOperators>${named("TemporalOperator", TEMPORAL_2_0)}</fes:TemporalOperators></fes:Temporal_Capabilities></fes:Filter_Capabilities>`;

const OF_SERVICE: Readonly<Record<string, boolean>> = {
  ImplementsSimpleWFS: true,
  ImplementsBasicWFS: true,
  ImplementsLockingWFS: false,
  KVPEncoding: true,
  XMLEncoding: true,
  SOAPEncoding: false,
  ImplementsInheritance: false,
  ImplementsRemoteResolve: false,
  ImplementsResultPaging: true,
  ImplementsStandardJoins: false,
  ImplementsSpatialJoins: false,
  ImplementsTemporalJoins: false,
  ImplementsFeatureVersioning: false,
  ManageStoredQueries: false,
};

function operations({ address, version }: OwsExchange, isWritable: boolean): Xml {
  const values = (name: string, all: readonly string[]): Xml =>
    version === "1.1.0"
      ? xml`<ows:Parameter name="${name}">${all.map((value) => xml`<ows:Value>${value}</ows:Value>`)}</ows:Parameter>`
      : xml`<ows:Parameter name="${name}"><ows:AllowedValues>${all.map((value) => xml`<ows:Value>${value}</ows:Value>`)}</ows:AllowedValues></ows:Parameter>`;
  const formats = [DIALECTS[version]!.mediaType, "application/geo+json", "application/json"];
  const operation = (name: string, inside: Xml | undefined): Xml =>
    xml`<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${address}?"/><ows:Post xlink:href="${address}"/></ows:HTTP></ows:DCP>${inside}</ows:Operation>`;
  const writing =
    isWritable &&
    xml`<ows:Operation name="Transaction"><ows:DCP><ows:HTTP><ows:Post xlink:href="${address}"/></ows:HTTP></ows:DCP>${values("inputFormat", [DIALECTS[version]!.mediaType])}</ows:Operation>`;
  const countDefault =
    version === "1.1.0"
      ? xml`<ows:Constraint name="DefaultMaxFeatures"><ows:Value>${MOST}</ows:Value></ows:Constraint>`
      : xml`<ows:Constraint name="CountDefault"><ows:NoValues/><ows:DefaultValue>${MOST}</ows:DefaultValue></ows:Constraint>`;
  const results = xml`${values("resultType", ["results", "hits"])}${version === "2.0.0" && values("resolve", ["none", "local"])}`;
  return xml`<ows:OperationsMetadata>${operation("GetCapabilities", values("AcceptVersions", ["2.0.0", "1.1.0"]))}${operation("DescribeFeatureType", values("outputFormat", [DIALECTS[version]!.mediaType]))}${operation("GetFeature", xml`${results}${values("outputFormat", formats)}${countDefault}`)}${writing}${
    version === "2.0.0" &&
    xml`${operation("GetPropertyValue", xml`${results}${values("outputFormat", formats.slice(0, 1))}${countDefault}`)}${operation("ListStoredQueries", undefined)}${operation("DescribeStoredQueries", undefined)}${values("version", ["2.0.0", "1.1.0"])}${Object.entries({ ...OF_SERVICE, ImplementsTransactionalWFS: isWritable }).map(([name, value]) => constraint(name, value))}`
  }</ows:OperationsMetadata>`;
}

function keywordList({ keywords }: Collection): Xml | undefined {
  if (keywords.length === 0) return undefined;
  return xml`<ows:Keywords>${keywords.map((word) => xml`<ows:Keyword>${word}</ows:Keyword>`)}</ows:Keywords>`;
}

/**
 * The licence of a type, in the only place that WFS 2.0 has for further metadata (OGC 09-025r2 §8.3.4). 1.1.0 has none.
 */
function licence({ version }: OwsExchange, { license }: Collection): Xml | undefined {
  if (!license || version === "1.1.0") return undefined;
  const { name, url } = license;
  return xml`<wfs:ExtendedDescription><wfs:Element name="license" type="xsd:string" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><ows:Metadata${url !== undefined && xml` xlink:href="${url}"`} xlink:title="${name}"/><wfs:ValueList><wfs:Value>${name}</wfs:Value></wfs:ValueList></wfs:Element></wfs:ExtendedDescription>`;
}

interface TypeContent {
  readonly degrees: Bounds | undefined;
  /** Those by which the caller may write it. */
  readonly commands: readonly Command[];
}

const WRITES: Readonly<Record<Command, string>> = { insert: "Insert", update: "Update", delete: "Delete" };

function featureType(exchange: OwsExchange, collection: Collection, { degrees, commands }: TypeContent): Xml {
  const { version } = exchange;
  const [main, ...others] = systemsOf(collection);
  const [west, south, east, north] = degrees ?? [-180, -90, 180, 90];
  const { id, title, description } = collection;
  const kind = version === "1.1.0" ? "SRS" : "CRS";
  return xml`<wfs:FeatureType><wfs:Name>${PREFIX}:${toXmlName(id)}</wfs:Name><wfs:Title>${title}</wfs:Title>${
    description !== undefined && description !== "" && xml`<wfs:Abstract>${description}</wfs:Abstract>`
  }${keywordList(collection)}<wfs:Default${kind}>${main && urnOf(main)}</wfs:Default${kind}>${others.map((crs) => xml`<wfs:Other${kind}>${urnOf(crs)}</wfs:Other${kind}>`)}${version === "1.1.0" && xml`<wfs:Operations>${["Query", ...commands.map((command) => WRITES[command])].map((name) => xml`<wfs:Operation>${name}</wfs:Operation>`)}</wfs:Operations>`}<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>${licence(exchange, collection)}</wfs:FeatureType>
`;
}
