/**
 * Cells in the format of copy and paste between spreadsheets: rows as lines, columns separated by tabs, and quotes
 * around cells that contain either.
 */

/** The text of cells. A cell without a value is empty. */
export function toTsv(cells: readonly (readonly string[])[]): string {
  const quoted = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return cells.map((row) => row.map(quoted).join("\t")).join("\n");
}

/** Parses cells. All rows get the length of the first one. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*)/y;
  for (let place = 0; ;) {
    cell.lastIndex = place;
    const [whole, quoted, plain] = cell.exec(text)!;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    place += whole.length;
    if (place >= text.length) break;
    if (text[place] === "\t") place++;
    else {
      place += text.startsWith("\r\n", place) ? 2 : 1;
      if (place >= text.length) break; // the line break with which spreadsheets end the last row
      rows.push([]);
    }
  }
  const [first] = rows;
  return rows.map((row) => first!.map((_, index) => row[index] ?? ""));
}
