/** Text messages as frames, so that a message for many sockets is encoded once. */

export type Frame = Buffer & { readonly frame: true };

/** A final text frame, without a mask, as servers send them (RFC 6455 §5.2). */
export function toFrame(text: string): Frame {
  const length = Buffer.byteLength(text);
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = 0x81;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length >>> 0, 6);
  }
  frame.write(text, start);
  return frame as Frame;
}

let last: { readonly head: string; readonly shared: string; readonly tail: string; readonly frame: Frame } | undefined;

/**
 * The frame of `head + shared + tail`. The last frame is kept, because an event goes to many subscribers, and many
 * clients number their subscriptions alike.
 */
export function sharedFrame(head: string, shared: string, tail: string): Frame {
  if (last?.shared === shared && last.head === head && last.tail === tail) return last.frame;
  const frame = toFrame(head + shared + tail);
  last = { head, shared, tail, frame };
  return frame;
}
