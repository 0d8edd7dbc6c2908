/** Links of resources, and their addresses. */

/** A link (RFC 8288) as OGC API Common writes it in JSON, always with all four members. */
export interface Link {
  readonly rel: string;
  readonly type: string;
  readonly title: string;
  readonly href: string;
}

/** Addresses below `{base_url}/api/v4/ogc/database/{database}`. */
export class Addresses {
  /** The address without a slash at the end. */
  readonly root: string;

  /** That of the service. */
  readonly baseUrl: string;

  constructor(baseUrl: string, database: string) {
    this.baseUrl = baseUrl;
    this.root = `${baseUrl}/api/v4/ogc/database/${encodeURIComponent(database)}`;
  }

  /** The address of a collection. */
  ofCollection(id: string): string {
    return `${this.root}/collections/${encodeURIComponent(id)}`;
  }

  /** The same address without the host, for Portolan's own pages. */
  local(path: readonly string[], query: Readonly<Record<string, string | number | undefined>> = {}): string {
    const { pathname, search } = new URL(this.of(path, query));
    return pathname + search;
  }

  /**
   * The address of a resource. `path`: unencoded segments; each is percent-encoded. Undefined members of `query` are
   * left out.
   */
  of(path: readonly string[], query: Readonly<Record<string, string | number | undefined>> = {}): string {
    const search = queryString(query);
    return [this.root, ...path.map(encodeURIComponent)].join("/") + (search && `?${search}`);
  }
}

/** Address of the classic services of a database or a schema. */
export function classicAddress(baseUrl: string, path: readonly string[]): string {
  return [`${baseUrl}/ows`, ...path.map(encodeURIComponent)].join("/");
}

/** The text of a query. It leaves `,`, `:` and `/` unencoded, so that it stays readable (RFC 3986 §3.4). */
export function queryString(query: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join("&");
}

function encode(text: string): string {
  const encoded = encodeURIComponent(text);
  if (encoded === text) return text;
  return encoded.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
}

/** The most characters of the header `Link`, since clients refuse longer headers. The links are in the body too. */
const LONGEST_HEADER = 8000;

/** The links that a too long header leaves out: first other formats, then all but the next and the previous page. */
const SHORTER: readonly ((link: Link) => boolean)[] = [
  () => true,
  ({ rel }) => rel !== "alternate",
  ({ rel }) => rel === "next" || rel === "prev",
  ({ rel }) => rel === "next",
];

/** The header `Link` (RFC 8288 §3). Where it would be too long it has fewer links, or none. */
export function linkHeaders(links: readonly Link[]): Readonly<Record<string, string>> {
  for (const isKept of SHORTER) {
    const header = linkHeader(links.filter(isKept));
    if (header.length <= LONGEST_HEADER) return header === "" ? {} : { Link: header };
  }
  return {};
}

/** A link of the header. A title with letters beyond ASCII is encoded by RFC 8187. */
function linkHeader(links: readonly Link[]): string {
  return links
    .map(({ rel, type, href, title }) => `<${href}>; rel="${rel}"; type="${type}"; ${titleOf(title)}`)
    .join(", ");
}

function titleOf(title: string): string {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(title)
    ? `title="${title}"`
    : `title*=UTF-8''${encodeURIComponent(title).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
