/** `/conformance`: the conformance classes of each standard. test/ogc tests every class named here. */
import { selfLinks, sendJson, type Exchange } from "../exchange/exchange.ts";
import { HTML } from "../exchange/formats.ts";
import { conformancePage } from "../pages/conformancePage.ts";

const FEATURES = "http://www.opengis.net/spec/ogcapi-features";
const MAPS = "www.opengis.net/spec/ogcapi-maps-1/1.0/conf";

/** OGC 20-058. Its test suite asks for `http`, its text for `https`. */
const MAP_CLASSES = [
  ...[
    "core",
    "collection-map",
    "dataset-map",
    "styled-map",
    "collections-selection",
    "background",
    "spatial-subsetting",
    "scaling",
  ],
  ...["display-resolution", "tilesets", "png", "jpeg", "tiff", "html", "api-operations", "cors"],
];

/** OGC 20-057. The classes of pictures are named only where there is a MapServer. */
const TILE_CLASSES = [
  ...["core", "tileset", "tilesets-list", "dataset-tilesets", "geodata-tilesets", "collections-selection"],
  ...["datetime", "mvt", "oas30"],
];

const FEATURE_CLASSES: readonly string[] = [
  `${FEATURES}-1/1.0/conf/core`,
  `${FEATURES}-1/1.0/conf/oas30`,
  `${FEATURES}-1/1.0/conf/html`,
  `${FEATURES}-1/1.0/conf/geojson`,
  `${FEATURES}-2/1.0/conf/crs`,
];

const CQL2_CLASSES = [
  ...["basic-cql2", "advanced-comparison-operators", "case-insensitive-comparison", "basic-spatial-functions"],
  ...[
    "basic-spatial-functions-plus",
    "spatial-functions",
    "temporal-functions",
    "array-functions",
    "property-property",
  ],
  ...["functions", "arithmetic", "cql2-text", "cql2-json"],
];

/** OGC 23-058r2 is Common Part 3 and Features Part 5. */
const SCHEMA_CLASSES = ["ogcapi-common-3", "ogcapi-features-5"].flatMap((part) =>
  [
    ...["schemas", "advanced-property-roles", "references", "returnables-and-receivables", "queryables", "sortables"],
  ].map((name) => `http://www.opengis.net/spec/${part}/1.0/conf/${name}`),
);

/**
 * `accent-insensitive-comparison` is named only where the extension unaccent is installed. QGIS 3.40 knows spatial
 * functions by the class name of the CQL2 drafts.
 */
function filterClasses({ collections, config }: Pick<Exchange, "collections" | "config">): readonly string[] {
  const hasUnaccent = [...collections.values()].some(({ unaccent }) => unaccent !== undefined);
  const names = [
    ...CQL2_CLASSES,
    ...(hasUnaccent ? ["accent-insensitive-comparison"] : []),
    ...(config.qgisQueryables ? ["basic-spatial-operators"] : []),
  ];
  return [
    ...["queryables", "filter", "features-filter"].map((name) => `${FEATURES}-3/1.0/conf/${name}`),
    ...["sortables", "sorting", "features-sorting"].map((name) => `${FEATURES}-8/1.0/conf/${name}`),
    // not properties-features, which requires the parameter for a single feature too
    `${FEATURES}-6/1.0/conf/properties`,
    ...names.map((name) => `http://www.opengis.net/spec/cql2/1.0/conf/${name}`),
  ];
}

/**
 * OGC 20-002r1, a draft. The classes are named only where some collection can be written. QGIS looks for one of them
 * under `req`.
 */
function writeClasses({ collections }: Pick<Exchange, "collections">): readonly string[] {
  if (![...collections.values()].some(({ isWritable }) => isWritable)) return [];
  const names = ["create-replace-delete", "update", "features", "optimistic-locking-etags"];
  return names.flatMap((name) => ["conf", "req"].map((word) => `${FEATURES}-4/1.0/${word}/${name}`));
}

/** OGC 21-045r1. `api` is left out, since it requires the parameter `profile`. */
const JSONFG_CLASSES = ["core", "polyhedra", "circular-arcs", "measures", "types-schemas"];

/**
 * The classes of maps are named only where there is a MapServer. The class `crs` of maps requires CURIEs, so it is
 * named only where they are accepted.
 */
function conformsTo({
  maps,
  config,
  collections,
}: Pick<Exchange, "maps" | "config" | "collections">): readonly string[] {
  const names = maps ? [...MAP_CLASSES, ...(config.crsForms === "all" ? ["crs"] : [])] : [];
  const tiles = maps ? [...TILE_CLASSES, "png", "jpeg"] : TILE_CLASSES;
  return [
    ...FEATURE_CLASSES,
    ...SCHEMA_CLASSES,
    ...JSONFG_CLASSES.map((name) => `http://www.opengis.net/spec/json-fg-1/1.0/conf/${name}`),
    ...filterClasses({ collections, config }),
    ...writeClasses({ collections }),
    ...tiles.map((name) => `http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/${name}`),
    ...names.flatMap((name) => [`http://${MAPS}/${name}`, `https://${MAPS}/${name}`]),
  ];
}

export function conformance(exchange: Exchange): void {
  const classes = conformsTo(exchange);
  const links = selfLinks(exchange, exchange.addresses.of(["conformance"]), "The conformance classes of this API");
  if (exchange.format === HTML) conformancePage(exchange, classes, links);
  else sendJson(exchange, { conformsTo: classes, links }, links);
}
