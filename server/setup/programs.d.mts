/** The oldest PostgreSQL that Portolan works with. */
export const OLDEST_POSTGRES: number;

export interface PostgresPrograms {
  /** Folder of `initdb` and `postgres`. */
  readonly bin: string;
  readonly major: number;
  /** Whether this PostgreSQL can load the extension. */
  readonly postgis: boolean;
  readonly pgcrypto: boolean;
  /** For the tests. */
  readonly hypopg: boolean;
}

/** The best server programs of PostgreSQL on this system, of version `major` if given. */
export function findPostgres(options?: { major?: number }): PostgresPrograms | undefined;

/** The path of PostgreSQL's `psql`. */
export function findPsql(): string | undefined;

/** The path of MapServer's `mapserv`. */
export function findMapserv(): string | undefined;

/** The path of a Chromium for the tests. */
export function findChromium(): string | undefined;

/** The path of GDAL's `ogrinfo` for the tests. */
export function findOgrinfo(): string | undefined;

/** The path of `nats-server` for the tests. */
export function findNatsServer(): string | undefined;

/** The path of `spawn-fcgi` for the benchmarks. */
export function findSpawnFcgi(): string | undefined;

/** The path of a Python that has OWSLib, for the tests. */
export function findOwslib(): string | undefined;

/** The path of a Python that has authlib, for the tests. */
export function findAuthlib(): string | undefined;

/** The path of a Python that has pyarrow, for the tests. */
export function findPyarrow(): string | undefined;

/** The path of PgBouncer, for the tests. */
export function findPgbouncer(): string | undefined;

/** The path of Prometheus, where `promtool` is there too, for the tests. */
export function findPrometheus(): string | undefined;

/** The path of `systemd-analyze`, for the tests. */
export function findSystemdAnalyze(): string | undefined;

/** The path of `qgis_process` for the tests. */
export function findQgisProcess(): string | undefined;

/** The path of libfaketime's library, by which tests set a clock, or undefined. */
export function findFakeTime(): string | undefined;

/** The paths of Patroni and etcd, or undefined where one is missing. */
export function findPatroni(): { readonly patroni: string; readonly etcd: string } | undefined;

/** The paths of HAProxy and nginx, where both are there. */
export function findProxies(): { readonly haproxy: string; readonly nginx: string } | undefined;
