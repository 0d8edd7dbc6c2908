/**
 * The environment of a program that a test starts: only the search path of programs, and the folder of Node's compile
 * cache, which halves the time of a start.
 */
export function programEnv(): Readonly<Record<string, string>> {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
