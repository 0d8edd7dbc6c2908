/** Settings that the service put into the page. */
const root = document.getElementById("console")!;

/** The address of the service, without a slash at the end. */
export const service = root.dataset["service"]!;

/** The exposed schemas of each database. */
export const schemas = JSON.parse(root.dataset["schemas"]!) as Readonly<Record<string, readonly string[]>>;

export const version = root.dataset["version"]!;

/** A map of others, by tiles of Web Mercator (`{z}`, `{x}`, `{y}` in its address) or as layers of a WMS. */
export interface Basemap {
  readonly url: string;
  readonly title?: string;
  readonly layers?: string;
  readonly attribution?: string;
  readonly maxZoom?: number;
}

/** Those that the administrator has named. */
export const basemaps = JSON.parse(root.dataset["basemaps"] ?? "{}") as Readonly<Record<string, Basemap>>;

/** Whether this page may load them: only the workspace and public maps may. */
export const mayLoadBasemaps = root.dataset["loadsBasemaps"] !== undefined;

/** Whether accounts may have files of collections made in the background. */
export const makesFiles = root.dataset["makesFiles"] !== undefined;

/** The database of a public page. */
export const publicDatabase = root.dataset["database"];

/** The map of a public page, as the service has put it there. */
export const publicMapText = root.dataset["map"];
