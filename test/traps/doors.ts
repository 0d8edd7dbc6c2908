/** Every route, and a request with which it reaches the code of an author. A new route needs a line here. */
import { ROW_FORMAT_NAMES } from "../../server/formats/names.ts";
import { sized } from "../support/size.ts";

/** Values of one request, in place of `{name}` in paths, queries and bodies. */
export type Values = Readonly<Record<string, string | number>>;

export interface Door {
  /** The path as in `portolan routes`, after its method. */
  readonly route: string;
  /** Requests it more than once, each with another query. */
  readonly queries?: readonly string[];
  readonly body?: unknown;
  /** Media type of the body. Default JSON. */
  readonly type?: string;
  /** Requested once, not for each relation. */
  readonly once?: boolean;
  /** The relation for which it is requested once. Default the first. */
  readonly table?: string;
  /** The calling accounts. Default all. */
  readonly by?: readonly Account[];
  /** The relations for which it is requested, by pattern. Default all. */
  readonly of?: RegExp;
  /** The value of `{names}` in the path. Default a name that does not exist. */
  readonly names?: string;
  /** Whether it asks for nothing but a read. Default: GET does. */
  readonly reads?: boolean;
  /** The account that reads, if it is not the caller. */
  readonly readsAs?: Account;
}

export type Account = "eve" | "captain" | "anonymous";

const SUPER: readonly Account[] = ["captain"];
const OGC = "/api/v4/ogc/database/{database}";
const COLLECTION = `${OGC}/collections/{collectionId}`;
const TABLE = "/api/v4/schemas/{schema}/tables/{table}";
const FEATURE = {
  type: "Feature",
  id: "{n}",
  geometry: { type: "Point", coordinates: [1, 2] },
  properties: { t: "b" },
};
const MAP = "width=32&height=32&bbox=0,0,9,9";
const WMS =
  "service=WMS&version=1.3.0&layers={collectionId}&styles=&crs=CRS:84&bbox=0,0,9,9&width=32&height=32&format=image/png";
/** Rows may be drafted and published there. */
const KEPT = /\.(triggers|policies)$/;
/** Switching something on or off there takes a second each. */
const SET = sized(/\.(triggers|policies|planned|ranges|guarded|listened|typed)$/, /./);
const TILE = "{tileMatrix}/{tileRow}/{tileCol}";

const once = (...routes: string[]): Door[] => routes.map((route) => ({ route, once: true }));
const bySuper = (route: string, body?: unknown, more: Partial<Door> = {}): Door => ({
  route,
  body,
  by: SUPER,
  once: true,
  ...more,
});

/** A message at the agents' door. */
const agent = (method: string, params: object, more: Partial<Door> = {}): Door => ({
  route: "POST /mcp/{database}",
  body: { jsonrpc: "2.0", id: 1, method, params },
  ...more,
});
const NAME = "{schema}.{table}";

const ofMade = (route: string, body?: unknown): Door => bySuper(route, body, { table: "app.made" });

const SAVED = "of-{table}-{account}";

/** A kind of saved things: made of each table, read, used in `more` ways and removed. Those of anonymous callers are refused. */
const saved = (kind: string, body: object, more: readonly Door[] = []): Door[] => [
  { route: `POST /api/v4/${kind}`, body: { name: SAVED, ...body }, of: SET },
  { route: `GET /api/v4/${kind}`, once: true },
  { route: `GET /api/v4/${kind}/{names}`, names: SAVED, of: SET },
  { route: `PATCH /api/v4/${kind}/{names}`, body: { title: "A", shared: ["*"] }, names: SAVED, of: SET },
  { route: `GET /api/v4/${kind}/{name}/versions`, of: SET },
  { route: `POST /api/v4/${kind}/{name}/restore`, body: { version: 1 }, of: SET },
  ...more,
  { route: `DELETE /api/v4/${kind}/{names}`, names: SAVED, of: SET },
];

/** Requests of one collection, or of those that the query names. */
function pictures(of: string, named: string): Door[] {
  const asked = (query = ""): string => [named, query].filter((part) => part !== "").join("&");
  return [
    { route: `GET ${of}/map`, queries: [asked(MAP), asked(`${MAP}&datetime={now}`)] },
    { route: `GET ${of}/styles/{styleId}/map`, queries: [asked(MAP)] },
    { route: `GET ${of}/tiles`, queries: [asked()] },
    { route: `GET ${of}/tiles/{tileMatrixSetId}`, queries: [asked()] },
    { route: `GET ${of}/tiles/{tileMatrixSetId}/${TILE}`, queries: [asked(), asked("datetime={now}")] },
    { route: `GET ${of}/map/tiles`, queries: [asked()] },
    { route: `GET ${of}/map/tiles/{tileMatrixSetId}`, queries: [asked()] },
    { route: `GET ${of}/map/tiles/{tileMatrixSetId}/${TILE}`, queries: [asked()] },
    { route: `GET ${of}/styles` },
    { route: `GET ${of}/styles/{styleId}`, queries: [asked()] },
    { route: `GET ${of}/styles/{styleId}/{sprite}`, queries: [asked()] },
  ];
}

const IS_A =
  "<f:Filter><f:PropertyIsEqualTo><f:ValueReference>t</f:ValueReference><f:Literal>a</f:Literal></f:PropertyIsEqualTo></f:Filter>";
const wfs = (request: string, content: string): string =>
  `<w:${request} xmlns:w="http://www.opengis.net/wfs/2.0" xmlns:f="http://www.opengis.net/fes/2.0" service="WFS" version="2.0.0" valueReference="t">${content}</w:${request}>`;

/** A style whose condition names a column. */
export const SLD = `<Rule xmlns:f="http://www.opengis.net/ogc"><f:Filter><f:PropertyIsEqualTo><f:PropertyName>t</f:PropertyName><f:Literal>a</f:Literal></f:PropertyIsEqualTo></f:Filter><PointSymbolizer/></Rule>`;

/** In the order of the requests: features that are switched on first are on for all that follow. */
export const DOORS: readonly Door[] = [
  // settings of a super user for a table
  bySuper(`PATCH ${TABLE}/events`, { enabled: true }, { once: false, of: SET }),
  bySuper(`PATCH ${TABLE}/versioning`, { enabled: true }, { once: false, of: SET }),
  bySuper(`PATCH ${TABLE}/workflow`, { enabled: true }, { once: false, of: KEPT }),
  bySuper(`PATCH ${TABLE}/workflow`, { roles: [{ subuser: "eve", role: "publisher" }] }, { once: false, of: KEPT }),
  bySuper(`PATCH ${TABLE}/shards`, { kind: "reference" }),
  bySuper(`PATCH ${TABLE}/privileges`, { subuser: "eve", privilege: "write" }, { once: false, of: SET }),
  bySuper(
    `PATCH ${TABLE}/column-privileges`,
    { subuser: "eve", columns: { id: ["select"] } },
    { once: false, of: SET },
  ),
  bySuper(`PATCH ${TABLE}/authentication`, { level: "None" }, { once: false, of: SET }),
  bySuper(`PATCH ${TABLE}/style`, [{ name: "a", where: { t: { eq: "a" } }, styles: [{ color: "#ff0000" }] }], { once: false, of: SET }), // oxfmt-ignore
  bySuper(`POST ${TABLE}/styles`, { name: "b", document: SLD }, { once: false, of: SET }),
  bySuper(`PATCH ${TABLE}/styles/{style}`, { title: "A", default: true }, { once: false, of: SET }),
  bySuper(`DELETE ${TABLE}/styles/{style}`, undefined, { once: false, of: SET }),
  bySuper(`PUT ${COLLECTION}/styles/{styleId}`, SLD, { once: false, of: SET, type: "application/vnd.ogc.sld+xml" }),
  bySuper(`DELETE ${COLLECTION}/styles/{styleId}`, undefined, { once: false, of: SET }),
  bySuper("POST /api/v4/rules", {
    username: "eve",
    schema: "{schema}",
    table: "{table}",
    access: "limit",
    filter: "id > 0",
    priority: 1,
  }, { once: false, of: SET }), // oxfmt-ignore
  bySuper("POST /api/v4/access/see", { account: "eve" }),
  bySuper("DELETE /api/v4/access/see/{account}"),
  bySuper(
    "POST /api/v4/access/explain",
    { account: "eve", relation: "{schema}.{table}" },
    { once: false, readsAs: "eve" },
  ),
  bySuper("POST /api/v4/access/explain", {
    account: "eve",
    relation: "{schema}.{table}",
    service: "ogc",
    rules: [{ username: "eve", schema: "{schema}", table: "{table}", access: "limit", filter: "t = 'a'", priority: 1 }],
  }, { once: false, of: SET }), // oxfmt-ignore
  ...[
    "events",
    "versioning",
    "workflow",
    "privileges",
    "column-privileges",
    "authentication",
    "shards",
    "style",
    "styles",
    "styles/{style}",
    "code-owners",
    "indices",
    "constraints",
  ].map((setting) => bySuper(`GET ${TABLE}/${setting}`, undefined, { once: false, of: SET })),
  bySuper("GET /api/v4/schemas/{schema}/code-owners"),
  bySuper("GET /api/v4/schemas/{schema}/privileges"),
  bySuper("GET /api/v4/schemas/{schema}/column-privileges"),

  // rows over REST
  { route: `GET ${TABLE}` },
  {
    route: `GET ${TABLE}/rows`,
    queries: [
      ...ROW_FORMAT_NAMES.map((format) => `format=${format}`),
      'where={"t":{"eq":"a"}}&orderBy={"t":"desc"}',
      "asOf={now}",
    ],
  },
  { route: `POST ${TABLE}/rows`, body: { where: { id: { gt: 0 } }, columns: ["id"], limit: 2 }, reads: true },
  { route: `GET ${TABLE}/classes`, queries: ["column=id", "column=t&method=unique"] },
  { route: "POST /api/v4/import/preview", body: "id,t\n1,b\n", type: "text/csv", once: true },
  { route: `POST ${TABLE}/import`, queries: ["", "dry=true"], body: "id,t\n{n},b\n", type: "text/csv" },
  { route: `GET ${TABLE}/history`, queries: ["key=1"] },
  { route: `GET ${TABLE}/comments`, queries: ["key=1", ""] },
  { route: `POST ${TABLE}/comments`, body: { key: "1", body: "Seen" } },
  { route: `PATCH ${TABLE}/comments/{id}`, body: { body: "Seen again" } },
  { route: `DELETE ${TABLE}/comments/{id}` },
  { route: `GET ${TABLE}/diff`, queries: ["from={before}"] },
  { route: `POST ${TABLE}/restore`, body: { key: "1", at: "{now}" } },
  { route: `POST ${TABLE}/undo`, body: { at: "{at}", rows: 1 } },
  { route: "GET /api/v4/workflow", once: true },
  { route: `POST ${TABLE}/rows/replace`, body: { find: "a", replacement: "b" }, queries: ["dry=true"] },
  { route: `GET ${TABLE}/workflow/rows` },
  { route: `GET ${TABLE}/workflow/shapes`, queries: ["key=1"] },
  { route: `POST ${TABLE}/workflow/rows`, body: { rows: [{ key: "1" }], to: "drafted" } },
  { route: `POST ${TABLE}/workflow/rows`, body: { rows: [{ key: "1" }], to: "published" } },

  // features, tiles and maps
  ...once(
    `GET ${OGC}`,
    `GET ${OGC}/conformance`,
    `GET ${OGC}/api`,
    `GET ${OGC}/collections`,
    `GET ${OGC}/queryables`,
    `GET ${OGC}/functions`,
    `GET ${OGC}/tileMatrixSets`,
    `GET ${OGC}/tileMatrixSets/{tileMatrixSetId}`,
    `GET ${OGC}/glyphs/{fontStack}/{glyphRange}`,
  ),
  { route: `GET ${COLLECTION}`, queries: ["", "f=html"] },
  { route: `GET ${COLLECTION}/schema` },
  { route: `GET ${COLLECTION}/queryables` },
  { route: `GET ${COLLECTION}/sortables` },
  {
    route: `GET ${COLLECTION}/items`,
    queries: [
      ...["json", "html", "csv", "fgb", "ndjson", "geojsonseq"].map((format) => `f=${format}`),
      "bbox=0,0,9,9&limit=1&sortby=-t&filter=t='a'",
      "q=a",
      "datetime={now}",
    ],
  },
  { route: `POST ${COLLECTION}/items`, body: FEATURE, type: "application/geo+json" },
  { route: `GET ${COLLECTION}/items/{featureId}`, queries: ["", "f=html", "datetime={now}"] },
  { route: `PUT ${COLLECTION}/items/{featureId}`, body: { ...FEATURE, id: 2 }, type: "application/geo+json" },
  {
    route: `PATCH ${COLLECTION}/items/{featureId}`,
    body: { properties: { t: "b" } },
    type: "application/merge-patch+json",
  },
  { route: `DELETE ${COLLECTION}/items/{featureId}` },
  ...pictures(COLLECTION, ""),
  ...pictures(OGC, "collections={collectionId}"),
  { route: `GET ${COLLECTION}/tiles/WebMercatorQuad.pmtiles`, once: true },
  { route: `GET ${COLLECTION}/legend` },
  { route: `POST ${COLLECTION}/downloads`, body: { format: "csv", filter: "t = 'a'" }, reads: true },
  { route: `GET ${OGC}/downloads` },
  { route: `GET ${OGC}/downloads/{downloadId}` },
  { route: `GET ${OGC}/downloads/{downloadId}/address` },
  { route: `DELETE ${OGC}/downloads/{downloadId}` },
  ...["/ows/{database}", "/ows/{database}/{schema}"].map((path) => ({
    route: `GET ${path}`,
    queries: [
      `${WMS}&request=GetMap`,
      `${WMS}&request=GetMap&time={now}`,
      `${WMS}&request=GetFeatureInfo&query_layers={collectionId}&i=9&j=9`,
    ],
  })),
  ...["/ows/{database}", "/ows/{database}/{schema}"].map((path) => ({
    route: `GET ${path}`,
    queries: [
      `service=WMTS&version=1.0.0&request=GetTile&layer={collectionId}&style=&format=image/png&tilematrixset={tileMatrixSetId}&tilematrix={tileMatrix}&tilerow={tileRow}&tilecol={tileCol}`,
    ],
  })),
  ...["/ows/{database}", "/ows/{database}/{schema}"].map((path) => ({
    route: `GET ${path}`,
    queries: ["", "&outputformat=application/json&sortby=t", "&time={now}", "&version=1.1.0"].map(
      (rest) =>
        `service=WFS&request=GetFeature&typenames={collectionId}${rest === "&version=1.1.0" ? rest : `&version=2.0.0${rest}`}`,
    ),
  })),
  ...["/ows/{database}", "/ows/{database}/{schema}"].flatMap((path) =>
    [
      wfs("GetFeature", `<w:Query typeNames="{collectionId}">${IS_A}</w:Query>`),
      wfs("GetPropertyValue", '<w:Query typeNames="{collectionId}"/>'),
      wfs("Transaction", "<w:Insert><{collectionId}><id>{n}</id><t>c</t></{collectionId}></w:Insert>"),
      wfs(
        "Transaction",
        `<w:Update typeName="{collectionId}"><w:Property><w:ValueReference>t</w:ValueReference><w:Value>b</w:Value></w:Property>${IS_A}</w:Update>`,
      ),
      wfs(
        "Transaction",
        `<w:Replace><{collectionId}><t>d</t></{collectionId}>${IS_A.replace(">a<", ">d<")}</w:Replace>`,
      ),
      wfs("Transaction", `<w:Delete typeName="{collectionId}">${IS_A.replace(">a<", ">none<")}</w:Delete>`),
    ].map((body) => ({ route: `POST ${path}`, body, type: "application/xml" })),
  ),
  { route: "GET /ows/{database}", queries: ["service=WMS&request=GetCapabilities"], once: true },
  ...once(...["{database}", "{database}/{schema}"].map((path) => `GET /ows/${path}/wmts/1.0.0/WMTSCapabilities.xml`)),

  // methods and SQL
  ...["select * from {schema}.{table} limit 2", "insert into {schema}.{table} (id, t) values ({n}, 'c')"].map(
    (q): Door => ({ route: "POST /api/v4/sql", body: { q } }),
  ),
  {
    route: "POST /api/v4/methods",
    body: { method: "{method}", q: "select id from {schema}.{table} limit 1" },
  },
  { route: "POST /api/v4/call/dry", body: { jsonrpc: "2.0", id: 1, method: "{method}" } },
  { route: "PATCH /api/v4/methods/{names}", body: { published: true }, names: "{method}" },
  { route: "POST /api/v4/call", body: { jsonrpc: "2.0", id: 1, method: "of_{table}_captain" } },
  ...once("GET /api/v4/methods", "GET /api/v4/interfaces"),
  { route: "GET /api/v4/methods/{names}", names: "{method}" },
  { route: "DELETE /api/v4/methods/{names}", names: "{method}" },

  // what is saved, and opened again
  ...saved("queries", { q: "select * from {schema}.{table}" }),
  ...saved("dashboards", { panels: [{ q: "select * from {schema}.{table}", show: "table" }] }, [
    { route: "GET /dashboards/{database}/{name}", of: SET, by: ["anonymous"] },
    { route: "GET /dashboards/{database}/{name}/panels/{panel}", of: SET, by: ["anonymous"] },
  ]),
  ...saved("views", { relation: NAME, filter: { t: { eq: "a" } }, sort: "-t" }),
  ...saved("maps", { layers: [{ collection: NAME }] }, [
    { route: "GET /maps/{database}/{name}", of: SET, by: ["anonymous"] },
  ]),

  // agents
  ...once("GET /mcp", "POST /mcp"),
  agent("tools/list", {}, { once: true }),
  ...Object.entries({
    describe: { table: NAME },
    read: { table: NAME, where: { id: { gt: 0 } }, limit: 2 },
    sql: { sql: "select * from {schema}.{table} limit 2" },
    features: { table: NAME, bbox: [0, 0, 9, 9], limit: 2 },
    map: { tables: [NAME], bbox: [0, 0, 9, 9], width: 32, height: 32 },
    insert: { table: NAME, rows: [{ id: "{n}", t: "d" }] },
    update: { table: NAME, where: { id: { eq: "{n}" } }, set: { t: "e" }, dryRun: true },
    delete: { table: NAME, where: { id: { eq: "{n}" } } },
    explain_denial: { table: NAME },
  }).map(([name, given]) =>
    agent("tools/call", { name, arguments: given }, { reads: !["insert", "update", "delete"].includes(name) }),
  ),
  agent("tools/call", { name: "method_of_{table}_captain", arguments: {} }),
  agent("resources/list", {}, { once: true }),
  agent("resources/templates/list", {}, { once: true }),
  agent("resources/read", { uri: "portolan://{database}/{schema}/{table}" }, { reads: true }),

  // GraphQL has its documents from its own schema: graphqlDoors.ts
  ...once(
    "GET /api/graphql/schema/{schema}",
    "POST /api/graphql/schema/{schema}",
    "POST /api/graphql/schema/{schema}/large",
    "GET /api/graphql/schema/{schema}/events",
  ),

  // information about tables, and about the database
  ...once(
    "GET /api/v4/schemas",
    "GET /api/v4/schemas/{schema}/tables",
    "GET /api/v4/schemas/{schema}/types",
    "GET /api/v4/pyramids",
    "GET /api/v4/jobs",
    "GET /api/v4/jobs/{id}",
    "GET /api/v4/sizes",
    "GET /api/v4/doctor",
    "GET /api/v4/configuration",
    "GET /api/v4/audit",
    "GET /api/v4/fleet",
    "GET /api/v4/statistics",
    "GET /api/v4/requests",
    "GET /api/v4/requests/{id}",
    "GET /api/v4/statements",
    "GET /api/v4/statements/top",
    "GET /api/v4/extensions",
    "GET /api/v4/rasters",
    "GET /api/v4/rasters/{names}",
    "GET /api/v4/users",
    "GET /api/v4/users/{names}",
    "GET /api/v4/clients",
    "GET /api/v4/clients/{names}",
    "GET /api/v4/agents",
    "GET /api/v4/agents/{id}/requests",
    "GET /api/v4/consents",
    "GET /api/v4/factors",
    "GET /api/v4/identities",
    "GET /api/v4/sessions",
    "GET /api/v4/rules",
    "GET /api/v4/rules/{names}",
    "GET /api/v4/openapi.json",
  ),
  bySuper("POST /api/v4/configuration", { accounts: { eve: { email: null } } }),

  // definitions, of a table of super users that has a type of the author
  bySuper("POST /api/v4/schemas/{schema}/tables", { name: "made", columns: [{ name: "id", type: "int" }, { name: "t", type: "text" }], key: ["id"] }), // oxfmt-ignore
  ofMade(`POST ${TABLE}/columns`, { name: "more", type: "app.word", default: "x" }),
  ofMade(`PATCH ${TABLE}/columns/{column}`, { nullable: false }),
  ofMade(`POST ${TABLE}/indices`, { name: "by_t", columns: ["t"] }),
  ofMade(`DELETE ${TABLE}/indices/{index}`),
  ofMade(`POST ${TABLE}/constraints`, { kind: "unique", name: "one", columns: ["more"] }),
  ofMade(`DELETE ${TABLE}/constraints/{constraint}`),
  ofMade(`DELETE ${TABLE}/columns/{column}`),
  ofMade(`PUT ${TABLE}/comment`, { comment: "Seen" }),
  ofMade(`PATCH ${TABLE}`, { name: "made" }),
  ofMade(`DELETE ${TABLE}`),
  bySuper("POST /api/v4/schemas/{schema}/types", { name: "depth", values: ["low"] }),
  bySuper("PATCH /api/v4/schemas/{schema}/types/{type}", { add: { value: "deep" } }),
  bySuper("DELETE /api/v4/schemas/{schema}/types/{type}"),

  // accounts, clients and tokens
  bySuper("POST /api/v4/users", { name: "ann", password: "a long secret" }),
  bySuper("PATCH /api/v4/users/{names}", { email: "ann@example.org" }),
  bySuper("POST /api/v4/users/{names}/link", {}),
  bySuper("POST /api/v4/users/{names}/invitation", {}),
  bySuper("POST /api/v4/users/{name}/verification"),
  bySuper("DELETE /api/v4/users/{names}/lockout"),
  bySuper("DELETE /api/v4/users/{names}/factors"),
  bySuper("DELETE /api/v4/users/{names}"),
  bySuper("POST /api/v4/clients", { id: "app", name: "App" }),
  bySuper("PATCH /api/v4/clients/{names}", { name: "The app" }),
  bySuper("POST /api/v4/clients/{names}/secret"),
  bySuper("POST /api/v4/registration-tokens", {}),
  bySuper("GET /api/v4/registration-tokens"),
  bySuper("DELETE /api/v4/registration-tokens/{id}"),
  bySuper("DELETE /api/v4/clients/{names}"),
  bySuper("POST /api/v4/rasters", { schema: "app", table: "none", file: "none.tif" }),
  bySuper("PATCH /api/v4/rasters/{names}", { file: "none.tif" }),
  bySuper("DELETE /api/v4/rasters/{names}"),
  bySuper("PATCH /api/v4/rules/{names}", { access: "allow" }),
  bySuper("DELETE /api/v4/rules/{names}"),
  bySuper("PATCH /api/v4/jobs/{id}", { state: "queued" }),
  bySuper("DELETE /api/v4/jobs/{id}"),
  bySuper("POST /api/v4/pyramids", { collection: "app.none", last_zoom: 1 }), // others are made in a test of their own
  bySuper("DELETE /api/v4/pyramids/{id}"),
  bySuper("DELETE /api/v4/sessions/{id}"),
  bySuper("DELETE /api/v4/consents/{account}/{client}"),
  bySuper("POST /api/v4/identities", { account: "ann", issuer: "https://ci.example.org", subject: "job" }),
  bySuper("DELETE /api/v4/identities/{id}"),
  bySuper("DELETE /api/v4/agents/{id}"),
  bySuper("DELETE /api/v4/statements/{pid}"),
  ...once(
    "POST /api/v4/oauth",
    "POST /api/v4/oauth/device",
    "POST /api/v4/oauth/par",
    "POST /api/v4/oauth/guest",
    "POST /api/v4/oauth/revoke",
    "POST /api/v4/oauth/introspect",
    "POST /api/v4/oauth/register",
    "GET /api/v4/oauth/register/{client}",
    "PUT /api/v4/oauth/register/{client}",
    "DELETE /api/v4/oauth/register/{client}",
    "GET /api/v4/oauth/userinfo",
    "POST /api/v4/oauth/userinfo",
  ),

  // pages, and their assets
  ...["/auth", "/device", "/password", "/forgotten", "/verify", "/signin", "/signup", "/account"].flatMap((path) =>
    once(`GET ${path}`, `POST ${path}`),
  ),
  ...once(
    "GET /signin/{provider}",
    "GET /signout",
    "POST /signout",
    "GET /.well-known/oauth-authorization-server",
    "GET /.well-known/oauth-authorization-server/mcp/{database}",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/mcp/{database}",
    "GET /.well-known/openid-configuration",
    "GET /.well-known/jwks.json",
    "GET /api/v4/ogc/assets/ol/ol.js",
    "GET /api/v4/ogc/assets/ol/ol.css",
    "GET /api/v4/ogc/assets/*",
    "GET /assets/*",
    "GET /console/assets/*",
    "GET /",
    "GET /methods",
    "GET /events",
    "POST /console/session/token",
    "GET /console",
    "GET /console/*",
    "GET /console/workspace",
    "GET /console/workspace/*",
    "GET /graphiql/static/*",
    "GET /graphiql/{schema}",
    "GET /ping",
    "GET /livez",
    "GET /readyz",
    "GET /metrics",
  ),

  // features that were switched on
  bySuper(`PATCH ${TABLE}/workflow`, { enabled: false }, { once: false, of: KEPT }),
  bySuper(`PATCH ${TABLE}/versioning`, { enabled: false }, { once: false, of: SET }),
  bySuper(`PATCH ${TABLE}/events`, { enabled: false }, { once: false, of: SET }),
];
