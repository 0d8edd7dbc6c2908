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
export function linkHeaders(links: Iterable<Link>): Readonly<Record<string, string>> {
  const known = links instanceof Links ? links.header : "";
  if (known !== "" && known.length <= LONGEST_HEADER) return { Link: known };
  const all = [...links];
  for (const isKept of SHORTER) {
    const header = linkHeader(all.filter(isKept));
    if (header.length <= LONGEST_HEADER) return header === "" ? {} : { Link: header };
  }
  return {};
}

/** Links with both of their texts, which are made of parts that other answers have too. */
export class Links implements Iterable<Link> {
  /** The members of a JSON array. */
  readonly json: string;
  /** The header `Link` with all of them. */
  readonly header: string;
  readonly #all: () => readonly Link[];

  constructor({ json, header }: Pick<Links, "json" | "header">, all: () => readonly Link[]) {
    this.json = json;
    this.header = header;
    this.#all = all;
  }

  with(more: readonly Link[]): Links {
    if (more.length === 0) return this;
    const json = `${this.json},${jsonOf(more)}`;
    return new Links({ json, header: `${this.header}, ${linkHeader(more)}` }, () => [...this, ...more]);
  }

  *[Symbol.iterator](): Iterator<Link> {
    yield* this.#all();
  }
}

/** What stands for the address in the texts that are kept. */
const ADDRESS = "{address}";

/**
 * Links whose addresses begin with the same text. `make` returns them for such a text. The result makes their texts for any
 * address, which must have no character that JSON escapes.
 */
export function linksFrom(make: (address: string) => readonly Link[]): (address: string) => Links {
  const all = make(ADDRESS);
  const json = jsonOf(all).split(ADDRESS);
  const header = linkHeader(all).split(ADDRESS);
  return (address) => new Links({ json: json.join(address), header: header.join(address) }, () => make(address));
}

const jsonOf = (links: readonly Link[]): string => JSON.stringify(links).slice(1, -1);

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
