/** The folders whose modules are in the program. */
export const SOURCES: readonly string[];

/** Where the programs of a checkout or an installed package are. */
export function programsOf(root: string): string;

/** Names the folder of the newest program. */
export const CURRENT: string;

/** The path of the program to run; undefined where none was built, or the sources have changed since. */
export function programOf(root: string): string | undefined;

/** The files below a folder in a stable order, without what was built there. */
export function filesBelow(folder: string): readonly string[];
