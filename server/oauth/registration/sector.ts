/** `sector_identifier_uri` (OpenID Connect Core 1.0 §8.1): the document there must list the redirect URIs of the client. */
import { FetchRefused, fetchPublic } from "../../kernel/http/publicFetch.ts";
import { oauthError } from "../errors.ts";
import type { ClientMetadata } from "./metadata.ts";

/** Throws `invalid_client_metadata`. */
export async function checkSector(metadata: ClientMetadata, privateHosts: readonly string[]): Promise<void> {
  const { sector_identifier_uri: url, redirect_uris: redirects = [] } = metadata;
  if (url === undefined) return;
  const listed = await read(url, privateHosts);
  if (!redirects.every((uri) => listed.includes(uri)))
    throw oauthError(
      "invalid_client_metadata",
      "The document of 'sector_identifier_uri' does not list 'redirect_uris'",
    );
}

async function read(url: string, privateHosts: readonly string[]): Promise<readonly unknown[]> {
  try {
    const { status, text } = await fetchPublic({ url, privateHosts });
    const list = status === 200 ? (JSON.parse(text) as unknown) : undefined;
    if (Array.isArray(list)) return list;
  } catch (error) {
    if (!(error instanceof FetchRefused || error instanceof SyntaxError)) throw error;
  }
  throw oauthError("invalid_client_metadata", "'sector_identifier_uri' has no JSON array of addresses");
}
