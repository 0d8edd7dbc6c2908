/** The letters and digits of a system's name in lower case: programs write the others in many ways. */
export function keyOfName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
