/**
 * Which modules of the console are built into one file. Left alone, the bundler makes a file for each set of pages that share
 * something: a page then loads 60 to 80 files, most below 2 kB, and each costs browser and service more than its bytes.
 */
import { join } from "node:path";

/** What the bundler tells of its modules, by their files. */
interface Modules {
  getModuleInfo(id: string): {
    readonly code: string | null;
    readonly importedIds: readonly string[];
    readonly dynamicImporters: readonly string[];
  } | null;
}

const SOURCE = join(import.meta.dirname, "src");
const ENTRIES = ["main.tsx", "publicMap.tsx", "publicDashboard.tsx"].map((file) => join(SOURCE, file));

/** What an area shares with others is small; larger things, such as a map or an editor, are files for those that use them. */
const MOST_CHARACTERS = 30_000;
/** What two areas share is a file for these two. */
const FEWEST_AREAS = 3;

/**
 * The files, those that others depend on first: what the console and public pages begin with, the rest of what the console
 * begins with, the small modules that public pages share with areas, and those that areas share.
 */
const NAMES = ["base", "shell", "shown", "parts"] as const;

/** For `codeSplitting.groups` of the bundler. */
export const groups = NAMES.map((wanted, index) => ({
  debugName: wanted,
  name: (id: string, modules: Modules) => (nameOf(id, modules) === wanted ? wanted : null),
  priority: NAMES.length - index,
  minShareCount: wanted === "parts" || wanted === "shown" ? FEWEST_AREAS : 1,
}));

function nameOf(id: string, modules: Modules): (typeof NAMES)[number] | undefined {
  if (ENTRIES.includes(id)) return undefined;
  const [console, ...publicPages] = ENTRIES.map((entry) => neededBy(entry, modules));
  const isPublic = publicPages.some((needed) => needed.has(id));
  if (console!.has(id)) return isPublic ? "base" : "shell";
  if (modules.getModuleInfo(id)?.dynamicImporters.length) return undefined;
  const more = [...neededBy(id, modules)].filter((each) => !console!.has(each));
  const characters = more.reduce((sum, each) => sum + (modules.getModuleInfo(each)?.code?.length ?? 0), 0);
  if (characters > MOST_CHARACTERS) return undefined;
  if (!isPublic) return "parts";
  return more.every((each) => each.startsWith(SOURCE)) ? "shown" : undefined; // not the packages that draw maps
}

const known = new Map<string, ReadonlySet<string>>();

/** The module and all that is loaded with it. */
function neededBy(id: string, modules: Modules): ReadonlySet<string> {
  const before = known.get(id);
  if (before) return before;
  const found = new Set<string>();
  const add = (each: string): void => {
    if (found.has(each)) return;
    found.add(each);
    modules.getModuleInfo(each)?.importedIds.forEach(add);
  };
  add(id);
  known.set(id, found);
  return found;
}
