/** XML from outside as a tree of elements. Document types are refused, so that no entity is ever resolved but XML's own five. */
import { SaxesParser } from "saxes";
import { GatewayError } from "../ground/errors.ts";
import { quote } from "./show.ts";

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** Empty: none. */
  readonly namespace: string;
  /** Attributes by their local name. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
  /** Its own text and its children in their order; only where `mixed` asks for it. */
  readonly parts?: readonly (string | XmlElement)[];
  /** The place of its beginning in the document, in characters from 0. */
  readonly at: number;
  /** The namespace of a prefix there, for names that stand in values. */
  namespaceOf(prefix: string): string | undefined;
}

export interface XmlOptions {
  /** Deepest nesting of elements. Default 250. */
  readonly maxDepth?: number;
  /** Whether elements have their `parts`. Default false. */
  readonly mixed?: boolean;
  /** Whether the text was read in the encoding that the document names, which may then be any. Default false: UTF-8 alone. */
  readonly isDecoded?: boolean;
  /**
   * Whether this document type may stand there, which is then passed over: neither what it declares nor what it names is read.
   * Default: none may.
   */
  readonly doctype?: (text: string) => boolean;
  /** Receives the outermost element before its content has come. */
  readonly begin?: (root: XmlElement) => void;
  /**
   * Receives each element when it is complete, and the names around it, the outermost first. Its result says whether the element
   * is left out of the tree, so that a long document need not be held as a whole.
   */
  readonly take?: (element: XmlElement, around: readonly string[]) => boolean;
}

const MAX_DEPTH = 250;

interface Scope {
  readonly own: Readonly<Record<string, string>>;
  readonly parent: Scope | undefined;
}

interface Open {
  readonly element: XmlElement & {
    text: string;
    readonly children: XmlElement[];
    readonly parts?: (string | XmlElement)[];
  };
  readonly scope: Scope | undefined;
}

/** Reads a document as its text comes. Both methods throw `BAD_USER_INPUT` for a text that is not XML, `LIMIT_EXCEEDED` beyond the depth. */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #open: Open[] = [];
  readonly #names: string[] = [];
  #root: XmlElement | undefined;
  #at = 0;

  constructor({
    maxDepth = MAX_DEPTH,
    mixed = false,
    doctype = () => false,
    isDecoded = false,
    begin,
    take,
  }: XmlOptions = {}) {
    const parser = this.#parser;
    parser.on("error", ({ message }) => this.#fail(`is not well-formed: ${message}`));
    parser.on("doctype", (text) => {
      if (!doctype(text)) this.#fail("has a document type, which is not allowed: remove it");
    });
    parser.on("xmldecl", ({ encoding = "utf-8" }) => {
      if (!isDecoded && !/^(utf-?8|us-ascii)$/i.test(encoding))
        this.#fail(`is in ${quote(encoding)}; it must be in UTF-8`);
    });
    parser.on("opentagstart", ({ name }) => (this.#at = Math.max(0, parser.position - name.length - 2)));
    parser.on("opentag", ({ local, uri, attributes, ns }) => {
      if (this.#open.length >= maxDepth)
        throw new GatewayError("LIMIT_EXCEEDED", `The XML is nested deeper than ${maxDepth} elements`);
      const outer = this.#open.at(-1)?.scope;
      const scope = Object.keys(ns).length > 0 ? { own: ns, parent: outer } : outer;
      const element = {
        name: local,
        namespace: uri,
        attributes: new Map(
          Object.values(attributes).flatMap((each) => (each.prefix === "xmlns" ? [] : [[each.local, each.value]])),
        ),
        children: [],
        text: "",
        ...(mixed && { parts: [] }),
        at: this.#at,
        namespaceOf: (prefix: string) => find(scope, prefix),
      };
      if (this.#open.length === 0) begin?.(element);
      this.#open.push({ element, scope });
      this.#names.push(local);
    });
    const addText = (text: string): void => {
      const open = this.#open.at(-1);
      if (!open) return;
      open.element.text += text;
      open.element.parts?.push(text);
    };
    parser.on("text", addText);
    parser.on("cdata", addText);
    parser.on("closetag", () => {
      const { element } = this.#open.pop()!;
      this.#names.pop();
      const parent = this.#open.at(-1);
      if (take?.(element, this.#names)) return;
      parent?.element.parts?.push(element);
      if (parent) parent.element.children.push(element);
      else this.#root = element;
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  /** The outermost element. */
  end(): XmlElement {
    this.#parser.close();
    return this.#root ?? this.#fail("is empty");
  }

  #fail(problem: string): never {
    throw new GatewayError("BAD_USER_INPUT", `The XML ${problem} (character ${this.#parser.position})`);
  }
}

function find(scope: Scope | undefined, prefix: string): string | undefined {
  for (let each = scope; each; each = each.parent) if (Object.hasOwn(each.own, prefix)) return each.own[prefix];
  return undefined;
}

/** A whole document. Throws as the reader does. */
export function parseXml(text: string, options?: XmlOptions): XmlElement {
  const reader = new XmlReader(options);
  reader.write(text);
  return reader.end();
}

/** The first child of one of these names. */
export function childOf({ children }: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return children.find(({ name }) => names.includes(name));
}

/** An element as XML again, with the namespaces that it needs. */
export function writeXml(element: XmlElement): string {
  const { name, namespace, attributes, children, text } = element;
  const own = [...attributes].map(([each, value]) => ` ${each}="${escapeXml(value)}"`).join("");
  return `<${name} xmlns="${escapeXml(namespace)}"${own}>${escapeXml(text.trim())}${children.map(writeXml).join("")}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that no XML document can have (XML 1.0 §2.2), not even escaped. */
const IMPOSSIBLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** A text of which nothing needs to be changed, as most are. */
export const PLAIN_XML = /^[\x20!#-%(-;=?-~]*$/;

/** A text in XML. Characters that XML does not allow become U+FFFD. */
export function escapeXml(text: string): string {
  if (PLAIN_XML.test(text)) return text;
  return text
    .toWellFormed()
    .replace(IMPOSSIBLE, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
