import { gatherConfig } from "postgraphile/graphile-build";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { baseCodec, type TypeRow } from "./codecs.ts";
import type { AnyCodec } from "./resources.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      PostgisPlugin: true;
    }
  }
}

const WGS84 = 4326;

/** The SRID that PostGIS keeps in a column's type modifier: bits 8 to 28, signed. */
function sridOf(typmod: number | null | undefined): number {
  return typmod === null || typmod === undefined || typmod < 0
    ? 0
    : ((typmod & 0x0fffff00) - (typmod & 0x10000000)) >> 8;
}

/** GeoJSON is in longitude and latitude (RFC 7946). Without an SRID nobody knows where a geometry is: it stays as it is. */
function postgisCodec(serviceName: string, type: TypeRow, srid: number): AnyCodec {
  const schema = type.getNamespace()!.nspname;
  const call = (name: string, ...values: SQL[]): SQL => sql`${sql.identifier(schema, name)}(${sql.join(values, ", ")})`;
  const toLonLat = (value: SQL): SQL => {
    if (type.typname === "geography" || srid === WGS84) return value;
    if (srid !== 0) return call("st_transform", value, sql.literal(WGS84));
    // The column takes any SRID, so each value says its own.
    return sql`(case when ${call("st_srid", value)} in (0, ${sql.literal(WGS84)}) then ${value} else ${call("st_transform", value, sql.literal(WGS84))} end)`;
  };
  const toJson = (value: SQL): SQL => call("st_asgeojson", toLonLat(value), sql`9`, sql`0`);
  const codec = baseCodec(serviceName, type, {
    kind: "geometry",
    srid,
    toText: (value) => sql`${toJson(value)}::text`,
    fromPg: JSON.parse,
    toPg: JSON.stringify,
  });
  geoJson.set(codec.sqlType, toJson);
  return codec;
}

const geoJson = new WeakMap<SQL, (value: SQL) => SQL>();

/** A geometry of the codec's type, which may be a domain, as `json`. */
export function geometryToJson(codec: AnyCodec, value: SQL): SQL {
  if (codec.domainOfCodec) return geometryToJson(codec.domainOfCodec as AnyCodec, value);
  return sql`${geoJson.get(codec.sqlType)!(value)}::json`;
}

export const PostgisPlugin: GraphileConfig.Plugin = {
  name: "PostgisPlugin",
  description: "Geometry and geography of PostGIS as GeoJSON",
  version: "0.1.0",
  before: ["BaseTypesPlugin", "PgCodecsPlugin"],

  gather: gatherConfig({
    initialState: () => ({ codecs: new Map<string, AnyCodec>() }),
    hooks: {
      async pgCodecs_findPgCodec({ helpers }, event) {
        const { pgType, serviceName } = event;
        if (event.pgCodec || (pgType.typname !== "geometry" && pgType.typname !== "geography")) return;
        const postgis = await helpers.pgIntrospection.getExtensionByName(serviceName, "postgis");
        if (!postgis || pgType.typnamespace !== postgis.extnamespace) return;
        event.pgCodec = postgisCodec(serviceName, pgType, pgType.typname === "geography" ? WGS84 : 0);
      },
      /** A column knows its SRID, so that the transformation is decided once and not for each value. */
      pgCodecs_attribute({ state }, { serviceName, pgAttribute, attribute }) {
        const codec = attribute.codec as AnyCodec;
        const type = pgAttribute.getType();
        if (codec.extensions?.portolan?.kind !== "geometry" || type?.typname !== "geometry") return;
        const srid = sridOf(pgAttribute.atttypmod);
        if (srid === 0) return;
        const key = `${serviceName} ${type._id} ${srid}`;
        const known = state.codecs.get(key) ?? postgisCodec(serviceName, type, srid);
        state.codecs.set(key, known);
        attribute.codec = known;
      },
    },
  }),
};
