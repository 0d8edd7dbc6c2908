/** DescribeFeatureType (OGC 09-025r2 §9, 04-094 §8): the XML Schema of the types. */
import { hasParts } from "../../../server/types/columnType.ts";
import { rowOf } from "../../../server/types/table.ts";
import { xmlForms } from "../../../server/types/xmlForm.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";
import { sendText } from "../../exchange/exchange.ts";
import { withKey } from "../../features/propertySelection.ts";
import { givenColumns } from "../../features/propertySelection.ts";
import type { OwsExchange } from "../exchange.ts";
import { layersNamed, layersSeen } from "../layers.ts";
import { xml, xmlDocument, type Xml } from "../xml.ts";
import { DIALECTS, PREFIX, toXmlName, typeNamed, type Dialect } from "./names.ts";

/** The simple type of a column's values. */
function typeOf({ type }: CollectionColumn): string {
  return (hasParts(type) ? xmlForms.string : rowOf(type).xml).type;
}

const GEOMETRIES: Readonly<Record<string, string>> = {
  Point: "PointPropertyType",
  LineString: "CurvePropertyType",
  Polygon: "SurfacePropertyType",
  MultiPoint: "MultiPointPropertyType",
  MultiLineString: "MultiCurvePropertyType",
  MultiPolygon: "MultiSurfacePropertyType",
  CurvePolygon: "SurfacePropertyType",
  MultiSurface: "MultiSurfacePropertyType",
};

function element(column: CollectionColumn): Xml {
  const title = column.title ?? column.description;
  return xml`<xsd:element name="${toXmlName(column.name)}" type="xsd:${typeOf(column)}" minOccurs="0">${
    title !== undefined && xml`<xsd:annotation><xsd:documentation>${title}</xsd:documentation></xsd:annotation>`
  }</xsd:element>`;
}

function typeDefinition(collection: Collection, { gml }: Dialect): Xml {
  const name = toXmlName(collection.id);
  const { geometry } = collection;
  const place = GEOMETRIES[geometry?.geometryType ?? ""] ?? "GeometryPropertyType";
  const base = gml.endsWith("3.2") ? "gml:AbstractFeature" : "gml:_Feature";
  const columns = withKey({ collection, given: givenColumns(collection, {}) });
  return xml`<xsd:element name="${name}" type="${PREFIX}:${name}Type" substitutionGroup="${base}"/>
<xsd:complexType name="${name}Type"><xsd:complexContent><xsd:extension base="gml:AbstractFeatureType"><xsd:sequence>${columns.map(element)}${geometry && xml`<xsd:element name="${toXmlName(geometry.name)}" type="gml:${place}" minOccurs="0"/>`}</xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>
`;
}

export async function describeFeatureType(exchange: OwsExchange): Promise<void> {
  const { version, namespace, given, body } = exchange;
  const dialect = DIALECTS[version]!;
  const inBody = body?.children.filter(({ name }) => name === "TypeName");
  const names =
    inBody && inBody.length > 0
      ? inBody.map(({ text, namespaceOf }) => typeNamed(text, namespaceOf, namespace))
      : given.typenames?.flat().map((text) => typeNamed(text, (prefix) => given.namespaces?.get(prefix), namespace));
  const collections = names
    ? await layersNamed(exchange, names).then(async (admission) => {
        await admission.confirm();
        return admission.collections;
      })
    : await layersSeen(exchange);
  const types = collections.filter(({ raster }) => !raster);
  const document = xml`<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:gml="${dialect.gml}" xmlns:${PREFIX}="${namespace}" targetNamespace="${namespace}" elementFormDefault="qualified" version="1.0">
<xsd:import namespace="${dialect.gml}" schemaLocation="${dialect.gmlSchema}"/>
${types.map((collection) => typeDefinition(collection, dialect))}</xsd:schema>`;
  sendText(exchange, { mediaType: dialect.mediaType, text: xmlDocument(document), links: [] });
}
