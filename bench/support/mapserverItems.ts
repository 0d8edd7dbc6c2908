/** MapServer's own OGC API Features and WFS over the same tables, over FastCGI as from a web server. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MapWorker } from "../../ogc/maps/mapWorker.ts";
import { findMapserv } from "../../server/setup/programs.mjs";

/** The folder of MapServer's pages in its package. Without them its OGC API does not start. */
const TEMPLATES = "/usr/share/mapserver/ogcapi/templates/html-plain/";

export interface MapserverTable {
  /** Schema and name. */
  readonly name: string;
  /** The name that MapServer uses. */
  readonly type: "POINT" | "POLYGON";
}

const layer = ({ name, type }: MapserverTable, connection: string): string => `
  LAYER
    NAME "${name}"
    TYPE ${type}
    STATUS ON
    CONNECTIONTYPE POSTGIS
    CONNECTION "${connection}"
    PROCESSING "CLOSE_CONNECTION=DEFER"
    DATA "geom FROM ${name} USING UNIQUE id USING SRID=4326"
    EXTENT -180 -90 180 90
    PROJECTION "epsg:4326" END
    METADATA "ows_title" "${name}" "gml_include_items" "all" "gml_featureid" "id" "geometry_precision" "9" END
    TEMPLATE "none"
  END`;

const mapfile = (tables: readonly MapserverTable[], connection: string): string => `MAP
  NAME "bench"
  SIZE 256 256
  EXTENT -180 -90 180 90
  UNITS DD
  PROJECTION "epsg:4326" END
  WEB
    METADATA
      "ows_title" "bench" "ows_onlineresource" "http://localhost/bench" "ows_srs" "epsg:4326"
      "ows_enable_request" "*" "oga_max_limit" "10000"
    END
  END${tables.map((table) => layer(table, connection)).join("")}
END
`;

export interface MapserverItems {
  /**
   * The body of `/collections/{name}/items?limit={limit}`. Throws unless it is a FeatureCollection of so many features.
   */
  items(name: string, limit: number): Promise<Buffer>;
  /** The body of GetFeature of WFS 2.0.0, in GML 3.2. Throws unless it has so many features. */
  gml(name: string, count: number): Promise<Buffer>;
  /** Of the process; undefined before the first request. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** `url`: connection string of PostgreSQL. */
export function startMapserverItems(url: string, tables: readonly MapserverTable[]): MapserverItems {
  const program = findMapserv();
  if (program === undefined) throw new Error("MapServer is not installed: node server/setup/setup.mjs --test");
  const directory = mkdtempSync(join(tmpdir(), "portolan-bench-"));
  chmodSync(directory, 0o755);
  const { hostname, port, username, password, pathname } = new URL(url);
  const connection = `host=${decodeURIComponent(hostname)} port=${port} dbname=${pathname.slice(1)} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}`;
  writeFileSync(join(directory, "bench.map"), mapfile(tables, connection));
  const config = join(directory, "mapserver.conf");
  writeFileSync(
    config,
    `CONFIG
  ENV
    OGCAPI_HTML_TEMPLATE_DIRECTORY "${TEMPLATES}"
  END
  MAPS
    BENCH "${join(directory, "bench.map")}"
  END
END
`,
  );
  const env = { PATH: process.env["PATH"] ?? "", MAPSERVER_CONFIG_FILE: config };
  const worker = new MapWorker({ program, directory, env, user: undefined, memoryBytes: 4e9 });
  const ask = async (path: string, query: string): Promise<{ contentType: string; answer: Buffer }> => {
    const { contentType, body } = await worker.request({
      ...{ REQUEST_METHOD: "GET", SERVER_NAME: "localhost", SERVER_PORT: "80", SERVER_PROTOCOL: "HTTP/1.1" },
      ...{ SCRIPT_NAME: "", PATH_INFO: path, QUERY_STRING: query },
    });
    return { contentType, answer: Buffer.concat(body) };
  };
  return {
    get pid() {
      return worker.pid;
    },
    async gml(name, count) {
      const query = { service: "WFS", version: "2.0.0", request: "GetFeature", typenames: name, count: String(count) };
      const { contentType, answer } = await ask("/BENCH", new URLSearchParams({ map: "BENCH", ...query }).toString());
      if (!answer.includes(`numberReturned="${count}"`))
        throw new Error(`MapServer gave ${contentType}: ${answer.toString("utf8", 0, 1000)}`);
      return answer;
    },
    async items(name, limit) {
      const path = `/BENCH/ogcapi/collections/${name}/items`;
      const { contentType, answer } = await ask(path, `f=json&limit=${limit}`);
      // its media type is application/json, and the members of an object are sorted by name
      if (!/^application\/json\b/.test(contentType) || !answer.includes(`"numberReturned":${limit},`))
        throw new Error(`MapServer gave ${contentType}: ${answer.toString("utf8", 0, 1000)}`);
      return answer;
    },
    async stop() {
      await worker.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
