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

/**
 * The most characters of the header `Link`. With the other headers it stays below 4 kB, the buffer for the headers of an answer
 * that nginx has without `proxy_buffer_size`. The links are in the body too, except for formats without a place for links.
 */
const LONGEST_HEADER = 2000;

/** The most characters of links that have no other place: those of a map, and the next and the previous page. */
export const LONGEST_WITHOUT_BODY = 8000;

/**
 * The header `Link` (RFC 8288 §3). If it would be too long, it has the links that fit: the next and the previous page first,
 * then one of each relation, then the others. It has none if none fits. `longest`: of the header, in characters.
 */
export function linkHeaders(links: Iterable<Link>, longest = LONGEST_HEADER): Readonly<Record<string, string>> {
  const known = links instanceof Links ? links.header : undefined;
  const header = known !== undefined && known.length <= longest ? known : headerOf([...links], longest);
  return header === "" ? {} : { Link: header };
}

function headerOf(links: readonly Link[], longest: number): string {
  const texts = links.map((link) => linkHeader([link]));
  const whole = texts.join(", ");
  if (whole.length <= longest) return whole;
  const ones = new Set(oneOfEach(links));
  const rank = (index: number): number => (isOtherPage(links[index]!) ? 0 : ones.has(links[index]!) ? 1 : 2);
  const kept = new Set<number>();
  let length = 0;
  for (const index of [...links.keys()].toSorted((a, b) => rank(a) - rank(b))) {
    const after = length + texts[index]!.length + ", ".length;
    if (after > (rank(index) === 0 ? LONGEST_WITHOUT_BODY : longest)) continue;
    length = after;
    kept.add(index);
  }
  return texts.filter((_, index) => kept.has(index)).join(", ");
}

function isOtherPage({ rel }: Link): boolean {
  return rel === "next" || rel === "prev";
}

/** The first link of each relation. Of the other formats of a resource, that is HTML. */
function oneOfEach(links: readonly Link[]): Link[] {
  return links.filter(({ rel }, index) => links.findIndex((other) => other.rel === rel) === index);
}

/** Links with both of their texts, which are made of parts that other answers have too. */
export class Links implements Iterable<Link> {
  /** The members of a JSON array. */
  readonly json: string;
  /** The header `Link`, with one link of each relation where it would be too long with all. */
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
  const shortHeader = linkHeader(oneOfEach(all)).split(ADDRESS);
  const room = LONGEST_HEADER - ROOM_FOR_OTHERS - lengthOf(header);
  return (address) => {
    const kept = address.length * (header.length - 1) <= room ? header : shortHeader;
    return new Links({ json: json.join(address), header: kept.join(address) }, () => make(address));
  };
}

/** Characters of the header that are left to links that are added: the collection, the next and the previous page. */
const ROOM_FOR_OTHERS = 600;

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
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
