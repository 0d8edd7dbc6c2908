/** The heap of a process that does nothing: V8 collects when something is allocated, and keeps until then what nobody uses. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { readonly type: "major"; readonly execution: "async" }) => Promise<void>;
let collect: Collect | undefined;

/** Collects all of it, and gives to the system what is free then. The process stands still meanwhile, some 10 ms for 60 MB in use. */
export function collectGarbage(): Promise<void> {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
    setFlagsFromString("--no-expose-gc");
  }
  return collect({ type: "major", execution: "async" });
}
