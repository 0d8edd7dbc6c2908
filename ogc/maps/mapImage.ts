/** Sends the pictures that MapServer drew. */
import type { ServerResponse } from "node:http";

/** The longest time for a client to fetch a finished picture. */
const SEND_TIMEOUT_MS = 60_000;

/** OGC 20-058 /req/spatial-subsetting/subset-definition: answers a request for values outside of an axis. */
export function sendNothing(response: ServerResponse): void {
  response.statusCode = 204;
  response.end();
}

/**
 * Sends a picture. Resolves when the client has it, or has left. A client that does not fetch it in time is
 * disconnected.
 */
export async function sendImage(response: ServerResponse, image: readonly Buffer[]): Promise<void> {
  if (response.closed) return; // the client left while the map was drawn
  response.setHeader("Content-Length", String(image.reduce((length, piece) => length + piece.length, 0)));
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  const timer = setTimeout(() => response.destroy(), SEND_TIMEOUT_MS).unref();
  response.cork();
  for (const piece of image) response.write(piece);
  response.end();
  response.uncork();
  await closed;
  clearTimeout(timer);
}
