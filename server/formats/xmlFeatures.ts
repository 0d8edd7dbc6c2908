/** Features of an XML file, read as it comes: each is a row as soon as it is complete, and nothing else is kept. */
import { badInput } from "../ground/errors.ts";
import { XmlReader, type XmlElement } from "../types/xml.ts";
import { portionsOfNamed, type Item, type NamedCells } from "./portions.ts";
import { LONGEST_ROW, type Cell, type Portion } from "./source.ts";
import { checkEncoding, decoded } from "./text.ts";

export type Cells = ReadonlyMap<string, Cell>;

export interface XmlFeatures {
  /** The name of the outermost element. */
  readonly root: string;
  /** For messages: `not a KML file`. */
  readonly title: string;
  /** The names of elements that are features. */
  readonly features: ReadonlySet<string>;
  /** The rows of a feature: each is read by itself. Throws `BAD_USER_INPUT`. */
  rows(feature: XmlElement, around: readonly string[]): readonly (() => Cells)[];
}

const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/;
/** The declaration of the encoding must be within this many bytes. */
const MOST_BYTES_OF_DECLARATION = 200;

export async function* xmlPortions(
  bytes: AsyncIterable<Uint8Array>,
  kind: XmlFeatures,
  portion?: number,
): AsyncGenerator<Portion> {
  yield* portionsOfNamed(itemsOf(bytes, kind), "feature", portion);
}

async function* itemsOf(bytes: AsyncIterable<Uint8Array>, kind: XmlFeatures): AsyncGenerator<Item<NamedCells>[]> {
  let items: Item<NamedCells>[] = [];
  let [place, characters] = [0, 0];
  const reader = new XmlReader({
    isDecoded: true,
    begin({ name }) {
      if (name !== kind.root)
        badInput(`the file is not a ${kind.title}: its outermost element is ${JSON.stringify(name)}`);
    },
    take(element, around) {
      if (around.some((name) => kind.features.has(name))) return false;
      if (kind.features.has(element.name)) {
        const size = characters;
        for (const read of kind.rows(element, around))
          items.push({ place: ++place, read: () => ({ cells: read(), characters: size }) });
      }
      characters = 0;
      return around.length > 0; // the outermost element stays, which shows that the file is not empty
    },
  });
  const [encoding, pieces] = await encodingOf(bytes);
  for await (const text of decoded(pieces, encoding)) {
    characters += text.length;
    reader.write(text);
    if (characters > LONGEST_ROW + text.length)
      badInput(`feature ${place + 1}: is longer than ${LONGEST_ROW} characters`);
    if (items.length > 0) yield items;
    items = [];
  }
  reader.end();
}

/** The encoding that the file declares, and its bytes again. */
async function encodingOf(bytes: AsyncIterable<Uint8Array>): Promise<[string, AsyncIterable<Uint8Array>]> {
  const rest = bytes[Symbol.asyncIterator]();
  const { done, value: first } = await rest.next();
  if (done) return ["utf-8", bytes];
  const start = Buffer.from(first.buffer, first.byteOffset, Math.min(first.byteLength, MOST_BYTES_OF_DECLARATION));
  const isWide = start[0] === 0xff || start[0] === 0xfe;
  const declared = ENCODING.exec(start.toString("latin1").replace(/^\u00ef\u00bb\u00bf/, ""))?.[1];
  const encoding = isWide ? (start[0] === 0xff ? "utf-16le" : "utf-16be") : (declared ?? "utf-8");
  checkEncoding(encoding);
  async function* again(): AsyncGenerator<Uint8Array> {
    try {
      yield first;
      for (;;) {
        const next = await rest.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await rest.return?.();
    }
  }
  return [encoding.toLowerCase(), again()];
}

/** The text of a child, without the spaces around it; undefined where it has none. */
export function textOf(element: XmlElement, name: string): string | undefined {
  const text = element.children.find((child) => child.name === name)?.text.trim();
  return text === "" ? undefined : text;
}

/** A number, for a coordinate. */
export function numberOf(text: string | undefined, what: string): number {
  const value = Number(text ?? "");
  if (text === undefined || text.trim() === "" || !Number.isFinite(value))
    badInput(`${what}: expected a number, got ${JSON.stringify(text ?? null)?.slice(0, 100)}`);
  return value;
}
