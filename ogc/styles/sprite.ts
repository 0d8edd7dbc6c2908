/**
 * `…/styles/{styleId}/sprite.json`, `.png`, and both `@2x`: the patterns of a style in one picture, and their places in it
 * (MapLibre style specification, Sprite).
 */
import { GatewayError } from "../../server/ground/errors.ts";
import { sendText, type Exchange } from "../exchange/exchange.ts";
import { JSON_FORMAT, PNG } from "../exchange/formats.ts";
import { encodePng } from "../maps/mapPng.ts";
import type { TileSource } from "../tiles/tileSource.ts";
import { drawPattern, patternName, type Picture } from "./pattern.ts";
import { patternsOf, styleOfSource } from "./styles.ts";

/** The names of the files of a sprite. */
export const SPRITE_FILES = ["sprite.json", "sprite.png", "sprite@2x.json", "sprite@2x.png"] as const;

/** Sends a file of the sprite. Throws `NOT_FOUND` for any other name. */
export function sendSprite(exchange: Exchange, source: TileSource): void {
  const { sprite: name = "" } = exchange.pathParameters;
  if (!(SPRITE_FILES as readonly string[]).includes(name))
    throw new GatewayError("NOT_FOUND", `There is no ${name.slice(0, 50)}: there are ${SPRITE_FILES.join(", ")}`);
  styleOfSource(exchange);
  const ratio = name.includes("@2x") ? 2 : 1;
  const patterns = [...patternsOf(exchange, source).values()];
  const pictures = patterns.map((pattern) => drawPattern(pattern, ratio));
  if (name.endsWith(".png")) {
    sendText(exchange, { mediaType: PNG.mediaType, text: encodePng(stacked(pictures)), links: [] });
    return;
  }
  let y = 0;
  const places = pictures.map(({ width, height }, index) => {
    const place = { x: 0, y, width, height, pixelRatio: ratio };
    y += height;
    return [patternName(patterns[index]!), place] as const;
  });
  sendText(exchange, {
    mediaType: JSON_FORMAT.mediaType,
    text: JSON.stringify(Object.fromEntries(places)),
    links: [],
  });
}

/** The pictures one below the other; a transparent pixel if there are none. */
function stacked(pictures: readonly Picture[]): Picture {
  const width = Math.max(1, ...pictures.map((picture) => picture.width));
  const rows = pictures.flatMap((picture) =>
    Array.from({ length: picture.height }, (_, row) => {
      const bytes = Buffer.alloc(width * 4);
      picture.rgba.copy(bytes, 0, row * picture.width * 4, (row + 1) * picture.width * 4);
      return bytes;
    }),
  );
  return rows.length > 0
    ? { width, height: rows.length, rgba: Buffer.concat(rows) }
    : { width, height: 1, rgba: Buffer.alloc(4) };
}
