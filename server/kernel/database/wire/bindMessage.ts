/** The message Bind (PostgreSQL protocol, "Message Formats") with a format for each column of the result. */
import { serialize } from "pg-protocol/dist/serializer.js";
import type { Connection } from "./extendedQuery.ts";

/** The one format of all columns, at the end of the message as the package makes it. */
const ONE_FORMAT_BYTES = 4;
const FORMAT_BYTES = 2;
/** Where the length stands: behind the letter. */
const LENGTH_AT = 1;

/** The same connection, whose `bind` asks for these formats. */
export function bindingFormats(connection: Connection, isBinary: readonly boolean[]): Connection {
  const bind: Connection["bind"] = (message) => {
    connection.stream.write(
      withFormats(
        serialize.bind({ ...message, statement: message.statement ?? "", values: [...message.values] }),
        isBinary,
      ),
    );
  };
  return Object.create(connection, { bind: { value: bind } }) as Connection;
}

function withFormats(made: Buffer, isBinary: readonly boolean[]): Buffer {
  const start = made.length - ONE_FORMAT_BYTES;
  const message = Buffer.alloc(start + FORMAT_BYTES * (1 + isBinary.length));
  made.copy(message, 0, 0, start);
  message.writeInt16BE(isBinary.length, start);
  for (const [index, is] of isBinary.entries()) message.writeInt16BE(is ? 1 : 0, start + FORMAT_BYTES * (1 + index));
  message.writeInt32BE(message.length - LENGTH_AT, LENGTH_AT);
  return message;
}
