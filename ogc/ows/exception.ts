/** Errors of the classic services, as each service and version writes them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError, type ErrorCode } from "../../server/ground/errors.ts";
import type { Log } from "../../server/ground/log.ts";
import { beginFailure, sendText } from "../../server/kernel/http/answer.ts";
import { xml, xmlDocument, type Xml } from "./xml.ts";

export type Service = "WMS" | "WMTS" | "WFS";

/** The known facts about a request when it fails. */
export interface Dialect {
  readonly service: Service | undefined;
  readonly version: string | undefined;
}

/** Codes of WMS 1.3.0 (OGC 06-042 annex E), of OWS Common (OGC 06-121r3 §8.3) and of WFS 2.0 (OGC 09-025r2 table 3). */
export type ExceptionCode =
  | "InvalidFormat"
  | "InvalidCRS"
  | "InvalidSRS"
  | "LayerNotDefined"
  | "StyleNotDefined"
  | "LayerNotQueryable"
  | "InvalidPoint"
  | "InvalidDimensionValue"
  | "OperationNotSupported"
  | "MissingParameterValue"
  | "InvalidParameterValue"
  | "VersionNegotiationFailed"
  | "TileOutOfRange"
  | "PointIJOutOfRange"
  | "NotFound"
  | "OperationParsingFailed"
  | "OperationProcessingFailed"
  | "InvalidValue"
  | "NoApplicableCode";

/** An error of the request. `locator`: the name of the parameter. */
export function exception(code: ExceptionCode, message: string, locator?: string): GatewayError {
  return new GatewayError("INVALID_PARAMETER", message, { members: { exceptionCode: code, locator } });
}

/** Codes for the errors of other parts of Portolan. */
const CODES: Readonly<Partial<Record<ErrorCode, ExceptionCode>>> = {
  INVALID_CRS: "InvalidCRS",
  INVALID_PARAMETER: "InvalidParameterValue",
  METHOD_NOT_ALLOWED: "OperationNotSupported",
  UNSUPPORTED_MEDIA_TYPE: "OperationNotSupported",
};

/** Codes that only WMS has. OWS Common has one code in their place. */
const OF_WMS: ReadonlySet<ExceptionCode> = new Set([
  "InvalidFormat",
  "InvalidCRS",
  "InvalidSRS",
  "InvalidPoint",
  "InvalidDimensionValue",
  "LayerNotDefined",
  "LayerNotQueryable",
  "StyleNotDefined",
]);

interface Told {
  readonly code: ExceptionCode;
  readonly locator: string | undefined;
  readonly message: string;
}

function told({ code, message, members }: GatewayError, { service }: Dialect): Told {
  const { exceptionCode, locator, errorId } = members;
  const isLayer = code === "COLLECTION_NOT_FOUND";
  const own = isLayer ? (service === "WMS" ? "LayerNotDefined" : "InvalidParameterValue") : CODES[code];
  const found = (exceptionCode as ExceptionCode | undefined) ?? own ?? "NoApplicableCode";
  return {
    code: service !== "WMS" && OF_WMS.has(found) ? "InvalidParameterValue" : found,
    locator: (locator as string | undefined) ?? (isLayer ? "typenames" : undefined),
    message: typeof errorId === "string" ? `${message} (${errorId})` : message,
  };
}

interface Report {
  readonly mediaType: string;
  readonly body: Xml;
}

/**
 * The report of an error: by WMS 1.1.1 (OGC 01-068r3 annex A.3) or 1.3.0 (OGC 06-042 annex E), or by OWS Common for a
 * request to no known service.
 */
function reportOf({ service, version }: Dialect, { code, locator, message }: Told): Report {
  if (service === "WMS") {
    const isKnown = code !== "NoApplicableCode";
    const entry = (known: string): Xml => xml`${isKnown && xml` code="${known}"`}`;
    if (version === "1.1.1")
      return {
        mediaType: "application/vnd.ogc.se_xml",
        body: xml`<!DOCTYPE ServiceExceptionReport SYSTEM "http://schemas.opengis.net/wms/1.1.1/exception_1_1_1.dtd">
<ServiceExceptionReport version="1.1.1"><ServiceException${entry(code === "InvalidCRS" ? "InvalidSRS" : code)}>${message}</ServiceException></ServiceExceptionReport>`,
      };
    return {
      mediaType: "text/xml; charset=utf-8",
      body: xml`<ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/ogc http://schemas.opengis.net/wms/1.3.0/exceptions_1_3_0.xsd"><ServiceException${entry(code)}${locator !== undefined && xml` locator="${locator}"`}>${message}</ServiceException></ServiceExceptionReport>`,
    };
  }
  // WFS 1.1 follows an older OWS Common (OGC 04-094 §7.4)
  const [ows, own] =
    service === "WFS" && version === "1.1.0"
      ? ["http://www.opengis.net/ows", "1.0.0"]
      : ["http://www.opengis.net/ows/1.1", service === "WMTS" ? "1.1.0" : "2.0.0"];
  return {
    mediaType: "text/xml; charset=utf-8",
    body: xml`<ows:ExceptionReport xmlns:ows="${ows}" version="${own}" xml:lang="en"><ows:Exception exceptionCode="${code}"${locator !== undefined && xml` locator="${locator}"`}><ows:ExceptionText>${message}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>`,
  };
}

/**
 * The status of an answer. Statuses below this limit are faults of the request: a WMS client shows the text of an
 * exception that comes with 200.
 */
function statusOf({ status, code, members }: GatewayError, { service }: Dialect): number {
  const isOfRequest = status === 400 || status === 404 || status === 405 || status === 406;
  if (service === "WMS" && isOfRequest) return 200;
  if (members["exceptionCode"] === "OperationNotSupported") return 501; // OGC 06-121r3 table 28
  if (members["exceptionCode"] === "OperationProcessingFailed") return 403; // OGC 09-025r2 table D.2
  return code === "COLLECTION_NOT_FOUND" ? 400 : status;
}

/** Answers a request that failed. */
export function sendException(
  log: Log,
  dialect: Dialect,
  thrown: unknown,
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
): void {
  const error = beginFailure(log, thrown, exchange);
  if (!error) return;
  const { mediaType, body } = reportOf(dialect, told(error, dialect));
  sendText(exchange.response, xmlDocument(body), {
    status: statusOf(error, dialect),
    type: mediaType,
    headers: { "Cache-Control": "no-store" },
  });
}
