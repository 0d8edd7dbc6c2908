/** Ways through the classic services. Feature writes leave each row as it was. */
import { valuesOf, type Relation } from "./world.ts";
import { FEATURE_READERS, type Records } from "./formats.ts";
import { all, drawn, isVersioned, MAP_BOX, MAP_SIZE, mapWay, service } from "./ogcWays.ts";
import { isRefused } from "./restWays.ts";
import { listWay, seen, type Answer, type Doors, type Question, type Sent, type Way } from "./way.ts";

/** The tile matrix set whose one tile shows each feature at its own pixel. */
export const FINE = { crs: 4326, bounds: [0, -15.6, 25.6, 10], levels: 1, tileSize: 256 } as const;
const FINE_SCALE = 10;

async function asked(
  { account }: Question,
  doors: Doors,
  kvp: Readonly<Record<string, string | undefined>>,
): Promise<Sent | "refused"> {
  const given = Object.entries(kvp).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const path = `/ows/${doors.database}?${new URLSearchParams(given)}`;
  const sent = await doors.send(account, path);
  // a layer that may not be read is one that does not exist
  if (UNKNOWN_LAYER.test(sent.text)) return "refused";
  return isRefused(sent, path) ? "refused" : sent;
}

const UNKNOWN_LAYER = /code="LayerNotDefined"|ode="InvalidParameterValue" locator="layers?"|There is no collection/i;

type Time = string | undefined;

/** All features are at its one pixel. */
async function featureInfo(q: Question, doors: Doors, time: Time): Promise<Records | "refused"> {
  const layer = q.relation.name;
  const sent = await asked(q, doors, {
    ...{ service: "WMS", version: "1.3.0", request: "GetFeatureInfo", layers: layer, query_layers: layer },
    ...{ crs: "CRS:84", bbox: "-180,-90,180,90", width: "1", height: "1", i: "0", j: "0", feature_count: "1000" },
    ...{ info_format: "application/geo+json", time },
  });
  return sent === "refused" ? sent : FEATURE_READERS["json"]!(sent.bytes);
}

async function wfs(q: Question, doors: Doors, time: Time): Promise<Records | "refused"> {
  const sent = await asked(q, doors, {
    ...{ service: "WFS", version: "2.0.0", request: "GetFeature", typenames: q.relation.name },
    ...{ outputformat: "application/geo+json", time },
  });
  return sent === "refused" ? sent : FEATURE_READERS["json"]!(sent.bytes);
}

/** The ids alone, as GML has them. */
const gml =
  (version: string) =>
  async (q: Question, doors: Doors, time: Time): Promise<Records | "refused"> => {
    const [typename, name] = [version === "2.0.0" ? "typenames" : "typename", q.relation.name];
    const sent = await asked(q, doors, { service: "WFS", version, request: "GetFeature", [typename]: name, time });
    if (sent === "refused") return sent;
    return [...sent.text.matchAll(/gml:id="\w+\.\w+\.(\d+)[^"]*"><?/g)].map(([, id]) => ({ id }));
  };

const getMap =
  (version: string) =>
  async (q: Question, doors: Doors, time: Time): Promise<Records | "refused"> => {
    const system = version === "1.3.0" ? { crs: "CRS:84" } : { srs: "EPSG:4326" };
    const sent = await asked(q, doors, {
      ...{ service: "WMS", version, request: "GetMap", layers: q.relation.name, styles: "", ...system },
      ...{ bbox: MAP_BOX, ...MAP_SIZE, format: "image/png", transparent: "true", time },
    });
    return sent === "refused" ? sent : drawn(sent.bytes);
  };

async function getTile(q: Question, doors: Doors, time: Time): Promise<Records | "refused"> {
  const sent = await asked(q, doors, {
    ...{ service: "WMTS", version: "1.0.0", request: "GetTile", layer: q.relation.name, style: "default" },
    ...{ format: "image/png", tilematrixset: "fine", tilematrix: "0", tilerow: "0", tilecol: "0", time },
  });
  return sent === "refused" ? sent : drawn(sent.bytes, FINE_SCALE);
}

type Read = (q: Question, doors: Doors, time: Time) => Promise<Records | "refused">;

/** The way now, and that as of the instant. */
const bothTimes = (way: (at: object, ask: (q: Question, doors: Doors) => ReturnType<Read>) => Way, read: Read) => [
  way({}, (q, doors) => read(q, doors, undefined)),
  way({ takes: isVersioned, then: true }, (q, doors) => read(q, doors, doors.instant)),
];
const named = (name: string, at: object): string => ("then" in at ? `${name} as of then` : name);
const features = (name: string, read: Read): readonly Way[] =>
  bothTimes(
    (at, ask) => listWay({ name: named(name, at), service, shows: "allowed", condition: all, ask, ...at }),
    read,
  );
const ids = (name: string, read: Read): readonly Way[] =>
  bothTimes((at, ask) => listWay({ name: named(name, at), service, shows: "id", condition: all, ask, ...at }), read);
const pictures = (name: string, read: Read): readonly Way[] =>
  bothTimes((at, ask) => mapWay(named(name, at), { ask, ...at }), read);

// Writing -----------------------------------------------------------------------------------------

/** The two forms of a transaction. */
const DIALECTS = {
  "2.0.0": {
    wfs: "http://www.opengis.net/wfs/2.0",
    filters: "http://www.opengis.net/fes/2.0",
    gml: "http://www.opengis.net/gml/3.2",
    name: "ValueReference",
    id: (id: string) => `<fes:ResourceId rid="${id}"/>`,
  },
  "1.1.0": {
    wfs: "http://www.opengis.net/wfs",
    filters: "http://www.opengis.net/ogc",
    gml: "http://www.opengis.net/gml",
    name: "Name",
    id: (id: string) => `<fes:FeatureId fid="${id}"/>`,
  },
} as const;
type Version = keyof typeof DIALECTS;

/** Rows of others wait for one that is being written. */
let last: Promise<unknown> = Promise.resolve();
const UNKNOWN_PROPERTY = /locator="Insert"><ows:ExceptionText>\S+ has no property &quot;/;

/** The number of rows that each kind of action wrote, "refused", or "conflict" where the row is there already. */
async function transact(q: Question, doors: Doors, version: Version, actions: string): Promise<Answer> {
  const { wfs: space, filters, gml: gmlSpace } = DIALECTS[version];
  const body = `<wfs:Transaction xmlns:wfs="${space}" xmlns:fes="${filters}" xmlns:gml="${gmlSpace}" service="WFS" version="${version}">${actions}</wfs:Transaction>`;
  const sending = last.then(() => doors.send(q.account, `/ows/${doors.database}`, body));
  last = sending.catch(() => undefined);
  const sent = await sending;
  if (sent.text.includes("already") && sent.status !== 200) return "conflict";
  if (UNKNOWN_LAYER.test(sent.text) || UNKNOWN_PROPERTY.test(sent.text) || isRefused(sent, body)) return "refused";
  return Object.fromEntries(
    [...sent.text.matchAll(/<wfs:total(\w+)>(\d+)</g)].flatMap(([, kind, count]) =>
      count === "0" ? [] : [[kind, Number(count)]],
    ),
  );
}

const idOf = ({ id }: Question): number => 1 + (id % 24);
const chosen = (q: Question, version: Version): string =>
  `<fes:Filter>${DIALECTS[version].id(`${q.relation.name}.${idOf(q)}`)}</fes:Filter>`;
const textOf = (value: string): string => value.replaceAll("'", "");

function feature(q: Question): string {
  const { geom: _, ...values } = valuesOf(idOf(q));
  const properties = Object.entries(values).flatMap(([name, value]) =>
    value === "null" ? [] : [`<${name}>${textOf(value)}</${name}>`],
  );
  const id = idOf(q);
  return `<${q.relation.name}>${properties.join("")}<geom><gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>${id % 10} ${id}</gml:pos></gml:Point></geom></${q.relation.name}>`;
}

interface Writing {
  readonly name: string;
  actions(q: Question, version: Version): string;
  /** With the condition of the rows that the account sees. */
  statements(q: Question, sees: string): readonly string[];
  /** The kinds of the statements, in the answer. */
  readonly kinds: readonly string[];
  /** Whether a rule must let the row in. */
  readonly inserts: boolean;
}

const WRITINGS: readonly Writing[] = [
  {
    name: "Update",
    actions: (q, version) => {
      const { name } = DIALECTS[version];
      const { t = "" } = valuesOf(idOf(q));
      const value = t === "null" ? "" : `<wfs:Value>${textOf(t)}</wfs:Value>`;
      return `<wfs:Update typeName="${q.relation.name}"><wfs:Property><wfs:${name}>t</wfs:${name}>${value}</wfs:Property>${chosen(q, version)}</wfs:Update>`;
    },
    statements: (q, sees) => [`update $T set t = ${valuesOf(idOf(q))["t"]} where id = ${idOf(q)} and ${sees}`],
    kinds: ["Updated"],
    inserts: false,
  },
  {
    name: "Delete and Insert",
    actions: (q, version) =>
      `<wfs:Delete typeName="${q.relation.name}">${chosen(q, version)}</wfs:Delete><wfs:Insert>${feature(q)}</wfs:Insert>`,
    statements: (q, sees) => {
      const values = Object.entries(valuesOf(idOf(q)));
      return [
        `delete from $T where id = ${idOf(q)} and ${sees}`,
        `insert into $T (${values.map(([name]) => name).join(", ")}) values (${values.map(([, value]) => value).join(", ")})`,
      ];
    },
    kinds: ["Deleted", "Inserted"],
    inserts: true,
  },
];

const isWritten = ({ isWritten: is }: Relation): boolean => is;

const WRITES: readonly Way[] = (Object.keys(DIALECTS) as Version[]).flatMap((version) =>
  WRITINGS.map(({ name, actions, statements, kinds, inserts }): Way => ({
    name: `WFS-T ${name}, ${version}`,
    takes: isWritten,
    async expect(q, truth) {
      if (q.account.name === "anonymous") return "refused"; // writing needs an account
      // a column that the account may not read is no property
      const columns = () => (inserts ? q.relation.columns : ["id"]);
      const found = await seen({ service, columns, condition: (of) => `id = ${idOf(of)}` }, q, truth);
      if (found === "refused") return found;
      const sees = found.rows.length > 0;
      const isLimited = inserts && !(await truth.meetsRule(q.account, q.relation, service, idOf(q)));
      if (isLimited) return "refused";
      const counts = await truth.written(q.account, q.relation, statements(q, String(sees)));
      if (typeof counts === "string") return counts;
      return Object.fromEntries(kinds.flatMap((kind, index) => (counts[index]! > 0 ? [[kind, counts[index]]] : [])));
    },
    ask: (q, doors) => transact(q, doors, version, actions(q, version)),
  })),
);

export const CLASSIC_WAYS: readonly Way[] = [
  ...features("WFS GetFeature", wfs),
  ...ids("WFS GetFeature, GML 3.2", gml("2.0.0")),
  ...ids("WFS GetFeature, GML 3.1", gml("1.1.0")),
  ...features("WMS GetFeatureInfo", featureInfo),
  ...pictures("WMS GetMap, 1.3.0", getMap("1.3.0")),
  ...pictures("WMS GetMap, 1.1.1", getMap("1.1.1")),
  ...pictures("WMTS GetTile", getTile),
  ...WRITES,
];
