/** The requests of the classic services, one row each. To add one: add a file with its handler, and its row here. */
import { exception, type Dialect, type Service } from "./exception.ts";
import type { OwsExchange } from "./exchange.ts";
import { peek, type Kvp } from "./kvp.ts";
import type { OwsParameterName } from "./parameters.ts";
import { wfsCapabilities } from "./wfs/capabilities.ts";
import { getFeature } from "./wfs/feature.ts";
import { describeFeatureType } from "./wfs/schema.ts";
import { refuseLocks } from "./wfs/locks.ts";
import { getPropertyValue } from "./wfs/propertyValue.ts";
import { describeStoredQueries, listStoredQueries } from "./wfs/storedQueries.ts";
import { EARLIEST } from "./wfs/names.ts";
import { transaction } from "./wfs/transaction.ts";
import { wmsCapabilities } from "./wms/capabilities.ts";
import { describeLayer } from "./wms/describeLayer.ts";
import { getFeatureInfo } from "./wms/featureInfo.ts";
import { getLegendGraphic } from "./wms/legend.ts";
import { getMap } from "./wms/map.ts";
import { wmtsCapabilities } from "./wmts/capabilities.ts";
import { wmtsFeatureInfo } from "./wmts/featureInfo.ts";
import { getTile } from "./wmts/tile.ts";

export interface Operation {
  readonly service: Service;
  readonly request: string;
  /** Its interface in rules: pictures or features. */
  readonly part: "ows" | "wfst";
  /** Other names for it that a client may send. */
  readonly also?: readonly string[];
  /** Whether it writes. Such a request must be posted as XML. */
  readonly posted?: true;
  /** The versions that have it. Default: all versions of the service. */
  readonly versions?: readonly string[];
  /** Versions that have it beside those of the service. */
  readonly alsoVersions?: readonly string[];
  /** Whether the version is negotiated rather than taken as given. */
  readonly negotiates?: true;
  readonly needs: readonly OwsParameterName[];
  readonly takes: readonly OwsParameterName[];
  readonly run: (exchange: OwsExchange) => Promise<void>;
}

/** The versions of each service, the highest first. */
export const VERSIONS: Readonly<Record<Service, readonly string[]>> = {
  WMS: ["1.3.0", "1.1.1"],
  WMTS: ["1.0.0"],
  WFS: ["2.0.0", "1.1.0"],
};

const PICTURE = ["layers", "styles", "crs", "bbox", "width", "height"] as const;
const LOOKS = ["format", "transparent", "bgcolor", "time", "dpi", "sld", "sld_body"] as const;

const TILE = ["layer", "style", "format", "tilematrixset", "tilematrix", "tilerow", "tilecol"] as const;
const QUERY = [
  ...(["typenames", "namespaces", "propertyname", "sortby", "count", "startindex", "resulttype"] as const),
  ...(["outputformat", "srsname", "bboxtext", "resourceid", "storedquery_id", "id", "filter", "time"] as const),
] as const;

export const OPERATIONS: readonly Operation[] = [
  {
    service: "WMS",
    request: "GetCapabilities",
    part: "ows",
    also: ["capabilities"],
    negotiates: true,
    needs: [],
    takes: [],
    run: wmsCapabilities,
  },
  {
    service: "WMS",
    request: "GetMap",
    part: "ows",
    also: ["map"],
    needs: [...PICTURE, "format"],
    takes: LOOKS,
    run: getMap,
  },
  {
    service: "WMS",
    request: "GetFeatureInfo",
    part: "wfst",
    also: ["feature_info"],
    needs: ["layers", "crs", "bbox", "width", "height", "query_layers", "i", "j"],
    takes: ["styles", "info_format", "feature_count", ...LOOKS],
    run: getFeatureInfo,
  },
  {
    service: "WMS",
    request: "GetLegendGraphic",
    part: "ows",
    needs: ["layer", "format"],
    takes: ["style", "sld", "sld_body"],
    run: getLegendGraphic,
  },
  {
    service: "WMS",
    request: "DescribeLayer",
    part: "ows",
    needs: ["layers"],
    takes: ["sld", "sld_body"],
    run: describeLayer,
  },
  {
    service: "WMTS",
    request: "GetCapabilities",
    part: "ows",
    negotiates: true,
    needs: [],
    takes: [],
    run: wmtsCapabilities,
  },
  {
    service: "WMTS",
    request: "GetTile",
    part: "ows",
    needs: TILE,
    takes: ["time"],
    run: getTile,
  },
  {
    service: "WMTS",
    request: "GetFeatureInfo",
    part: "wfst",
    needs: [...TILE, "i", "j", "infoformat"],
    takes: ["time"],
    run: wmtsFeatureInfo,
  },
  {
    service: "WFS",
    request: "GetCapabilities",
    part: "wfst",
    negotiates: true,
    needs: [],
    takes: [],
    run: wfsCapabilities,
  },
  {
    service: "WFS",
    request: "DescribeFeatureType",
    part: "wfst",
    needs: [],
    takes: ["typenames", "namespaces"],
    run: describeFeatureType,
  },
  {
    service: "WFS",
    request: "GetFeature",
    part: "wfst",
    needs: [],
    takes: QUERY,
    run: getFeature,
  },
  {
    service: "WFS",
    request: "GetPropertyValue",
    part: "wfst",
    versions: ["2.0.0"],
    needs: ["valuereference"],
    takes: QUERY,
    run: getPropertyValue,
  },
  {
    service: "WFS",
    request: "Transaction",
    part: "wfst",
    alsoVersions: [EARLIEST],
    posted: true,
    needs: [],
    takes: [],
    run: transaction,
  },
  {
    service: "WFS",
    request: "LockFeature",
    part: "wfst",
    needs: [],
    takes: [],
    run: refuseLocks,
  },
  {
    service: "WFS",
    request: "GetFeatureWithLock",
    part: "wfst",
    needs: [],
    takes: [],
    run: refuseLocks,
  },
  {
    service: "WFS",
    request: "ListStoredQueries",
    part: "wfst",
    versions: ["2.0.0"],
    needs: [],
    takes: [],
    run: listStoredQueries,
  },
  {
    service: "WFS",
    request: "DescribeStoredQueries",
    part: "wfst",
    versions: ["2.0.0"],
    needs: [],
    takes: ["storedquery_id"],
    run: describeStoredQueries,
  },
];

/** GeoServer's own parameters that choose features. Whoever relies on one must not get all features instead. */
const FILTERS_OF_OTHERS = {
  cql_filter: "Use FILTER of WFS, or the parameter filter of the OGC API, which is CQL2",
  viewparams: "The parameters of a function are parameters of the OGC API",
};

/** The operation and the version of a request. Throws the exceptions for a request that lacks one. */
export function operationOf(kvp: Kvp): { readonly operation: Operation; readonly version: string } {
  const request = kvp.get("request") ?? "";
  if (request === "") throw exception("MissingParameterValue", "REQUEST: is missing", "request");
  const service = kvp.get("service") ?? "";
  if (service !== "" && !(service.toUpperCase() in VERSIONS))
    throw exception(
      "InvalidParameterValue",
      `SERVICE: expected ${Object.keys(VERSIONS).join(" or ")}, got ${JSON.stringify(service.slice(0, 100))}`,
      "service",
    );
  const wanted = request.toLowerCase();
  const operation = OPERATIONS.find(
    ({ service: own, request: name, also = [] }) =>
      (service === "" || own === service.toUpperCase()) && [name.toLowerCase(), ...also].includes(wanted),
  );
  if (!operation)
    throw exception(
      // OGC 07-057r7 has no code of its own for it, unlike the others
      service.toUpperCase() === "WMTS" ? "InvalidParameterValue" : "OperationNotSupported",
      `REQUEST: there is no request ${JSON.stringify(request.slice(0, 100))} here`,
      "request",
    );
  if (operation.negotiates && service === "")
    throw exception("MissingParameterValue", "SERVICE: is missing", "service");
  const version = versionOf(operation, kvp);
  if (operation.versions?.includes(version) === false)
    throw exception("OperationNotSupported", `${operation.request}: is not a request of version ${version}`, "request");
  for (const [name, instead] of Object.entries(FILTERS_OF_OTHERS))
    if (kvp.get(name))
      throw exception("InvalidParameterValue", `${name.toUpperCase()}: is not supported. ${instead}`, name);
  return { operation, version };
}

/**
 * The version by OGC 06-042 §6.2.4: the requested one if it exists, else the highest below it, else the lowest. Without
 * one it is the highest. An operation that does not negotiate must name an existing version.
 */
function versionOf({ service, negotiates, alsoVersions = [] }: Operation, kvp: Kvp): string {
  const versions = VERSIONS[service];
  const accepted = negotiates && service !== "WMS" ? (kvp.get("acceptversions") ?? "") : "";
  if (accepted !== "") {
    // OGC 06-121r3 §7.3.2: the first existing version in the client's list
    const found = accepted.split(",").find((version) => versions.includes(version));
    if (found !== undefined) return found;
    throw exception("VersionNegotiationFailed", `ACCEPTVERSIONS: expected ${versions.join(" or ")}`, "acceptversions");
  }
  const asked = kvp.get("version") ?? "";
  if (versions.includes(asked) || alsoVersions.includes(asked)) return asked;
  if (asked === "" && negotiates) return versions[0]!;
  if (asked === "") throw exception("MissingParameterValue", "VERSION: is missing", "version");
  if (!/^\d{1,3}(\.\d{1,3}){0,2}$/.test(asked) || !negotiates)
    throw exception(
      "InvalidParameterValue",
      `VERSION: expected ${versions.join(" or ")}, got ${JSON.stringify(asked.slice(0, 50))}`,
      "version",
    );
  return versions.find((version) => orderOf(version) <= orderOf(asked)) ?? versions.at(-1)!;
}

function orderOf(version: string): number {
  return version.split(".").reduce((sum, part, index) => sum + Number(part) / 1000 ** index, 0);
}

/** The service and version for the errors of a request, as far as it names them. */
export function dialectOf(query: URLSearchParams): Dialect {
  const version = peek(query, "version");
  const known = serviceOf(query, version);
  const isOld = version?.startsWith("1.") === true;
  if (known === "WMS") return { service: known, version: version?.startsWith("1.1") ? "1.1.1" : "1.3.0" };
  return { service: known, version: known === "WFS" ? (isOld ? "1.1.0" : "2.0.0") : version };
}

/** The service that the request names, else the one that has such a request. For a version of WMS alone it is WMS. */
function serviceOf(query: URLSearchParams, version: string | undefined): Service | undefined {
  const named = peek(query, "service")?.toUpperCase();
  if (named !== undefined && named !== "") return named in VERSIONS ? (named as Service) : undefined;
  const request = peek(query, "request")?.toLowerCase() ?? "";
  const all = OPERATIONS.filter(({ request: name, also = [] }) => [name.toLowerCase(), ...also].includes(request));
  const services = [...new Set(all.map(({ service }) => service))];
  const isOfWms = version !== undefined && VERSIONS.WMS.includes(version) && services.includes("WMS");
  return isOfWms ? "WMS" : services.length === 1 ? services[0] : undefined;
}
