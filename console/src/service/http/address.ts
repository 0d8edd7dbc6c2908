/** Settings that the service put into the page. */
const root = document.getElementById("console")!;

/** The address of the service, without a slash at the end. */
export const service = root.dataset["service"]!;

/** The exposed schemas of each database. */
export const schemas = JSON.parse(root.dataset["schemas"]!) as Readonly<Record<string, readonly string[]>>;

export const version = root.dataset["version"]!;

/**
 * A basemap of another provider, by tiles of Web Mercator (`{z}`, `{x}`, `{y}` in its address) or as layers of a WMS.
 */
export interface Basemap {
  readonly url: string;
  readonly title?: string;
  readonly layers?: string;
  readonly attribution?: string;
  readonly maxZoom?: number;
}

/** The basemaps that the administrator has configured. */
export const basemaps = JSON.parse(root.dataset["basemaps"] ?? "{}") as Readonly<Record<string, Basemap>>;

/** Whether this page may load basemaps. Only the workspace and public maps may. */
export const mayLoadBasemaps = root.dataset["loadsBasemaps"] !== undefined;

/** Whether accounts may have files of collections made in the background. */
export const makesFiles = root.dataset["makesFiles"] !== undefined;

/** Whether the service sends mail, such as a link that verifies an address. */
export const sendsMail = root.dataset["sendsMail"] !== undefined;

/** The database of a public page. */
export const publicDatabase = root.dataset["database"];

/** The map of a public page, which the service has put there. */
export const publicMapText = root.dataset["map"];

/** The dashboard of a public page, in the same way. */
export const publicDashboardText = root.dataset["dashboard"];
