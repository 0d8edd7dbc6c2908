/**
 * Lets V8 collect the whole heap less often while a long document is made. By default it does so for each 8 MB of new buffers, which
 * takes longer than making a Parquet file: buffers are soon free again, but each collection reads all that the service keeps.
 */
import { setFlagsFromString } from "node:v8";

/** How much the heap may grow before it is collected, in percent of what is in use. 0 is V8's own choice. */
const GROWING_PERCENT = 100;

let running = 0;

export async function withRareCollections<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  try {
    return await work();
  } finally {
    if (--running === 0) setFlagsFromString("--heap-growing-percent=0");
  }
}
