/** `/glyphs/{fontStack}/{glyphRange}`: the glyphs of labels, for clients that draw vector tiles themselves. */
import { GatewayError } from "../../server/ground/errors.ts";
import { sendText, type Exchange } from "../exchange/exchange.ts";
import { GLYPHS } from "../exchange/formats.ts";
import { FONT, glyphRange, LAST, RANGE } from "./glyphRange.ts";

const DAY_SECONDS = 86_400;

/** The ranges by their first character. There are 256, and each is small. */
const ranges = new Map<number, Promise<Buffer>>();

/** Sends a range. Throws `NOT_FOUND` for another font, and for an invalid range. */
export async function glyphs(exchange: Exchange): Promise<void> {
  const { response, pathParameters } = exchange;
  const { fontStack = "", glyphRange: named = "" } = pathParameters;
  const [, from, to] = /^(0|[1-9]\d{0,4})-(\d{3,5})(?:\.pbf)?$/.exec(named) ?? [];
  const start = Number(from);
  const isRange = start % RANGE === 0 && Number(to) === start + RANGE - 1 && start < LAST;
  // a client names several fonts, separated by commas, and takes the first that exists
  const isFont = fontStack.split(",").some((font) => font.trim() === FONT);
  if (!isRange || !isFont) {
    const wanted = `${fontStack.slice(0, 50)} ${named.slice(0, 20)}`;
    throw new GatewayError("NOT_FOUND", `There are no glyphs ${wanted}: there are 0-255, 256-511, … of ${FONT}`);
  }
  const made = ranges.get(start) ?? glyphRange(start);
  ranges.set(start, made);
  made.catch(() => ranges.delete(start)); // the caller gets the error
  // the same for every caller
  response.removeHeader("Expires");
  response.setHeader("Cache-Control", `public, max-age=${DAY_SECONDS}`);
  sendText(exchange, { mediaType: GLYPHS.mediaType, text: await made, links: [] });
}
