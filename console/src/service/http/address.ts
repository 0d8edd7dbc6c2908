/** Settings that the service put into the page. */
const root = document.getElementById("console")!;

/** The address of the service, without a slash at the end. */
export const service = root.dataset["service"]!;

/** The exposed schemas of each database. */
export const schemas = JSON.parse(root.dataset["schemas"]!) as Readonly<Record<string, readonly string[]>>;

export const version = root.dataset["version"]!;
