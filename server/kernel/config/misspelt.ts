/** Variables that other parts read: `programs.mjs`, and `portolan.mjs`. */
const OTHER_VARIABLES = ["PORTOLAN_PG_BIN", "PORTOLAN_MAPSERV"];

/** Variables that look like misspelt options: they begin like ours, or differ from one of ours by one slip. */
export function misspelt(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly string[] {
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !OTHER_VARIABLES.includes(name))
    .flatMap((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, most: Math.min(3, Math.floor(candidate.length / 5)) }))
        // the distance is slow to compute, and every command waits for it: skip names that need too many letters anyway
        .filter(({ candidate, most }) => Math.abs(name.length - candidate.length) <= most)
        .filter(({ candidate, most }) => [...candidate].filter((letter) => !name.includes(letter)).length <= most)
        .map(({ candidate, most }) => ({ candidate, most, distance: editDistance(name, candidate) }))
        .filter(({ distance, most }) => distance <= most)
        .sort((a, b) => a.distance - b.distance);
      if (nearest) return [`${name}: there is no such variable, did you mean ${nearest.candidate}?`];
      return name.startsWith("PORTOLAN_") ? [`${name}: there is no such variable`] : [];
    });
}

/** How many letters must be put in, taken out, changed or swapped with their neighbour (restricted Damerau-Levenshtein). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = (rows[i] = [i]);
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped);
    }
  }
  return at(a.length, b.length);
}
