/** Posted requests in XML: reads their body as it arrives, and turns it into the parameters of a query string. */
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../server/ground/errors.ts";
import { streamBody } from "../../server/kernel/http/body.ts";
import { XmlReader, type XmlElement } from "../../server/types/xml.ts";
import { exception } from "./exception.ts";
import type { Kvp } from "./kvp.ts";
import { DIALECTS } from "./wfs/names.ts";

export const XML_TYPES: readonly string[] = ["application/xml", "text/xml"];

/** Longest time for a body to arrive. */
const LONGEST_MS = 900_000;

export interface PostedOptions {
  readonly maxBytes: number;
  /**
   * Called with the outermost element before its content has arrived. Returns the function that takes elements within
   * it, as `XmlOptions.take`.
   */
  begin(root: XmlElement): ((element: XmlElement, around: readonly string[]) => boolean) | undefined;
}

/**
 * Reads the body. Throws `UNSUPPORTED_MEDIA_TYPE` for anything but XML, because a form or a link of another site must
 * not send a request with a password that the browser keeps. Throws `TOO_LARGE`, and `BAD_USER_INPUT` for invalid XML.
 */
export async function readPosted(request: IncomingMessage, { maxBytes, begin }: PostedOptions): Promise<XmlElement> {
  let take: ReturnType<PostedOptions["begin"]>;
  const reader = new XmlReader({
    begin: (root) => void (take = begin(root)),
    take: (element, around) => take?.(element, around) ?? false,
  });
  const text = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return text.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new GatewayError("BAD_USER_INPUT", "The request body is not UTF-8", { cause: error });
    }
  };
  const { bytes } = streamBody(request, { mediaTypes: XML_TYPES, maxBytes, timeoutMs: LONGEST_MS });
  try {
    for await (const chunk of bytes) reader.write(decode(chunk));
    reader.write(decode());
    return reader.end();
  } catch (error) {
    const isOfXml = error instanceof GatewayError && ["BAD_USER_INPUT", "LIMIT_EXCEEDED"].includes(error.code);
    throw isOfXml ? exception("OperationParsingFailed", error.message) : error;
  }
}

/** The parameters in attributes, and the versions that a client accepts. */
export function kvpOf({ name, namespace, attributes, children }: XmlElement): Kvp {
  const kvp = new Map([...attributes].map(([each, value]) => [each.toLowerCase(), value]));
  kvp.delete("schemalocation");
  kvp.set("request", name);
  const byNamespace = Object.entries(DIALECTS).find(([, { wfs }]) => wfs === namespace)?.[0];
  if (byNamespace !== undefined && !kvp.has("service")) kvp.set("service", "WFS");
  const version = kvp.get("version");
  // GDAL writes transactions of 1.1 with the version 2.0.0, so the elements decide
  const isKnown = version === undefined || version in DIALECTS;
  if (byNamespace !== undefined && isKnown && name !== "GetCapabilities") kvp.set("version", byNamespace);
  const accepted = children.find((child) => child.name === "AcceptVersions");
  if (accepted) kvp.set("acceptversions", accepted.children.map(({ text }) => text.trim()).join(","));
  const queries = children.filter((child) => child.name === "StoredQueryId");
  if (queries.length > 0) kvp.set("storedquery_id", queries.map(({ text }) => text.trim()).join(","));
  return kvp;
}
