/** Documents that a request names instead of sending: trusted ones, known at the start, and automatic ones. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, parse } from "node:path";
import { LRUCache } from "lru-cache";
import { badInput, GatewayError } from "../../ground/errors.ts";

/** The members of a request that name its document. */
export interface DocumentNaming {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly id?: unknown;
  readonly doc_id?: unknown;
  readonly extensions?: unknown;
}

/** The text of a document. */
export interface NamedDocument {
  readonly query: string;
  /** Keeps the document. Called once it was found valid. */
  readonly remember?: (() => void) | undefined;
}

export interface NamedDocumentsOptions {
  /** Whether every document that is not trusted is refused. */
  readonly only?: boolean;
  /** Whether documents are stored under the hash that comes with them (Apollo's Automatic Persisted Queries). */
  readonly automatic?: boolean;
}

const MAX_KEPT = 1000;
const MAX_KEPT_CHARACTERS = 8_000_000;

export class NamedDocuments {
  #trusted: ReadonlyMap<string, string> = new Map();
  #trustedTexts: ReadonlySet<string> = new Set();
  readonly #only: boolean;
  readonly #automatic: boolean;
  readonly #kept = new LRUCache<string, string>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: (text) => text.length,
  });

  constructor({ only = false, automatic = false }: NamedDocumentsOptions = {}) {
    this.#only = only;
    this.#automatic = automatic;
  }

  /** From now on these are trusted, by their names. */
  trust(documents: ReadonlyMap<string, string>): void {
    this.#trusted = documents;
    this.#trustedTexts = new Set(documents.values());
  }

  /**
   * The document of a request, by its text or its name. Throws `PERSISTED_QUERY_NOT_FOUND` and
   * `PERSISTED_QUERY_NOT_SUPPORTED`, `FORBIDDEN` for a document that is not trusted, `BAD_USER_INPUT`.
   */
  find({ query, documentId, id, doc_id, extensions }: DocumentNaming): NamedDocument {
    const text = query === "" || query === null ? undefined : query;
    if (text !== undefined && typeof text !== "string") return badInput("query must be a GraphQL document");
    const name = documentId ?? id ?? doc_id ?? undefined;
    if (name !== undefined) return { query: this.#trustedByName(name, text) };
    const persisted = isObject(extensions) ? extensions["persistedQuery"] : undefined;
    const hash = isObject(persisted) ? String(persisted["sha256Hash"]).toLowerCase() : undefined;
    if (text === undefined)
      return hash === undefined ? badInput("query must be a GraphQL document") : this.#byHash(hash);
    if (this.#only && !this.#trustedTexts.has(text))
      throw new GatewayError("FORBIDDEN", "Only trusted documents are answered here");
    if (hash === undefined || !this.#automatic) return { query: text };
    if (sha256(text) !== hash) return badInput("provided sha does not match query");
    return { query: text, remember: () => void this.#kept.set(hash, text) };
  }

  #trustedByName(name: unknown, text: string | undefined): string {
    if (typeof name !== "string") return badInput("documentId must be a text");
    const trusted = this.#trusted.get(name) ?? this.#trusted.get(name.replace(/^sha256:/, ""));
    if (trusted === undefined)
      throw new GatewayError(this.#trusted.size > 0 ? "PERSISTED_QUERY_NOT_FOUND" : "PERSISTED_QUERY_NOT_SUPPORTED");
    if (text !== undefined && text !== trusted) return badInput("query is another document than documentId names");
    return trusted;
  }

  #byHash(hash: string): NamedDocument {
    const kept = this.#trusted.get(hash) ?? this.#kept.get(hash);
    if (kept !== undefined) return { query: kept };
    const isAsked = this.#automatic || this.#only; // otherwise a client need not try again
    throw new GatewayError(isAsked ? "PERSISTED_QUERY_NOT_FOUND" : "PERSISTED_QUERY_NOT_SUPPORTED");
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Trusted documents by their names. `path`: a folder of `*.graphql` files, named by the file and by their SHA-256; or a
 * manifest, `{name: text}` as GraphQL Code Generator and Relay write it, or Apollo's. Throws its fault.
 */
export function readTrustedDocuments(path: string): ReadonlyMap<string, string> {
  return statSync(path).isDirectory() ? readFolder(path) : readManifest(readFileSync(path, "utf8"));
}

function readFolder(path: string): Map<string, string> {
  const files = readdirSync(path).filter((name) => /\.(graphql|gql)$/.test(name));
  return new Map(
    files.flatMap((file): [string, string][] => {
      const text = readFileSync(join(path, file), "utf8");
      return [
        [parse(file).name, text],
        [sha256(text), text],
      ];
    }),
  );
}

function readManifest(json: string): Map<string, string> {
  const manifest: unknown = JSON.parse(json);
  if (!isObject(manifest)) throw new Error("a manifest must be a JSON object");
  const { format, operations } = manifest;
  const entries = Array.isArray(operations)
    ? operations.map((operation: unknown) => (isObject(operation) ? [operation["id"], operation["body"]] : []))
    : Object.entries(manifest);
  if (format !== undefined && format !== "apollo-persisted-query-manifest")
    throw new Error(`a manifest of the format ${JSON.stringify(format)} is not known`);
  return new Map(
    entries.map(([name, text]) => {
      if (typeof name !== "string" || typeof text !== "string")
        throw new Error("a manifest must have a text for each name");
      return [name, text];
    }),
  );
}
