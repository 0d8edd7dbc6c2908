/** Sends the pictures that MapServer drew. */
import type { ServerResponse } from "node:http";

/** How long a client may take to fetch a picture that is ready. */
const SEND_TIMEOUT_MS = 60_000;

/** OGC 20-058 /req/spatial-subsetting/subset-definition: the requested values are outside of an axis. */
export function sendNothing(response: ServerResponse): void {
  response.statusCode = 204;
  response.end();
}

/** Sends a picture. Resolves when the client has it, or has left. One that does not fetch it in time is cut off. */
export async function sendImage(response: ServerResponse, image: readonly Buffer[]): Promise<void> {
  if (response.closed) return; // the client left while it was drawn
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
