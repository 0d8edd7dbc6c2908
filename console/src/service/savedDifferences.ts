/** What restoring a version of a saved thing would change, member by member. */

export interface SavedDifference {
  /** Where: names of members, and of the parts of a list its kind, number and title, e.g. `["panels", "2 Cities", "q"]`. */
  readonly path: readonly string[];
  /** What stands there now; undefined where there is nothing. */
  readonly now: unknown;
  /** What would stand there; undefined where there would be nothing. */
  readonly then: unknown;
}

type Item = Readonly<Record<string, unknown>>;

/** The differences between the present state and a version, in the order of the members. Null counts as missing. */
export function savedDifferences(now: Item, then: Item): readonly SavedDifference[] {
  return ofMembers([], now, then);
}

function ofMembers(path: readonly string[], now: Item, then: Item): SavedDifference[] {
  return [...new Set([...Object.keys(now), ...Object.keys(then)])].flatMap((name) =>
    ofValues([...path, name], now[name], then[name]),
  );
}

function ofValues(path: readonly string[], now: unknown, then: unknown): SavedDifference[] {
  if (isSame(now, then)) return [];
  if (isItems(now) && isItems(then)) return ofItems(path, now, then);
  if (isItem(now) && isItem(then)) return ofMembers(path, now, then);
  return [{ path, now: now ?? undefined, then: then ?? undefined }];
}

/** Parts of a list are the same part if they are equal, else if they have the same title, else if they stand at the same place. */
function ofItems(path: readonly string[], now: readonly Item[], then: readonly Item[]): SavedDifference[] {
  const partners = new Map<Item, Item>();
  const left = new Set(then);
  for (const isPartner of [
    (one: Item, other: Item) => isSame(one, other),
    (one: Item, other: Item) => titleOf(one) !== undefined && titleOf(one) === titleOf(other),
    (one: Item, other: Item) => now.indexOf(one) === then.indexOf(other),
  ])
    for (const one of now) {
      const other = partners.has(one) ? undefined : [...left].find((each) => isPartner(one, each));
      if (!other) continue;
      partners.set(one, other);
      left.delete(other);
    }
  const name = (item: Item, of: readonly Item[]): string =>
    [String(of.indexOf(item) + 1), titleOf(item)].filter(Boolean).join(" ");
  const differences = now.flatMap((one): SavedDifference[] => {
    const other = partners.get(one);
    const at = [...path, name(one, now)];
    return other ? ofMembers(at, one, other) : [{ path: at, now: one, then: undefined }];
  });
  for (const added of left) differences.push({ path: [...path, name(added, then)], now: undefined, then: added });
  const order = [...partners.values()].map((item) => then.indexOf(item));
  const hasMoved = order.some((place, index) => index > 0 && place < order[index - 1]!);
  if (hasMoved)
    differences.push({
      path,
      now: now.map((item) => titleOf(item) ?? name(item, now)),
      then: then.map((item) => titleOf(item) ?? name(item, then)),
    });
  return differences;
}

/** The name by which people know a part: the title of a panel; the title of a layer, or the table that it shows. */
function titleOf({ title, collection, basemap }: Item): string | undefined {
  const text = title ?? collection ?? basemap;
  return typeof text === "string" ? text : undefined;
}

export interface Line {
  readonly text: string;
  /** `now`: the line goes; `then`: it comes; `both`: it stays. */
  readonly in: "now" | "then" | "both";
}

/** More pairs of lines than these are not compared one by one. */
const MOST_PAIRS = 4_000_000;

/** Two texts line by line, by their longest common subsequence. */
export function lineDifferences(now: string, then: string): readonly Line[] {
  const [a, b] = [now.split("\n"), then.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const stays = (texts: readonly string[]): Line[] => texts.map((text) => ({ text, in: "both" }));
  return [
    ...stays(a.slice(0, head)),
    ...between(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...stays(a.slice(a.length - tail)),
  ];
}

function between(a: readonly string[], b: readonly string[]): Line[] {
  const goes = (text: string): Line => ({ text, in: "now" });
  const comes = (text: string): Line => ({ text, in: "then" });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(goes), ...b.map(comes)];
  // common[i][j]: how many lines the ends from i and j have in common
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ text: a[i]!, in: "both" });
      i++;
      j++;
    } else if (common[i + 1]![j]! >= common[i]![j + 1]!) lines.push(goes(a[i++]!));
    else lines.push(comes(b[j++]!));
  }
  return [...lines, ...a.slice(i).map(goes), ...b.slice(j).map(comes)];
}

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isItems(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

/** Whether two values are equal, with the members of objects in any order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one) ?? null) === JSON.stringify(sorted(other) ?? null);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isItem(value)) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]));
}
