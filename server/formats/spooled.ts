/** A file that is not read in the order of its arrival: kept as a temporary file meanwhile. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { makeTemporaryFolder, removeTemporaryFolder } from "../ground/temporaryFolder.ts";

/** The beginning of a name in `tmpdir()`. */
export const IMPORT_FOLDER = "portolan-import-";

/** The values that `read` yields for the whole file. The file is removed at the end. */
export async function* spooled<Item>(
  bytes: AsyncIterable<Uint8Array>,
  read: (path: string) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const folder = makeTemporaryFolder(IMPORT_FOLDER);
  try {
    const path = join(folder, "file");
    await pipeline(Readable.from(bytes), createWriteStream(path, { mode: 0o600 }));
    yield* read(path);
  } finally {
    await removeTemporaryFolder(folder);
  }
}
