/**
 * Cells in the form of spreadsheets' copy and paste: rows in lines, columns separated by tabs, cells with either of them
 * quoted.
 */

/** The text of a cell that has no value is empty. */
export function toTsv(cells: readonly (readonly string[])[]): string {
  const quoted = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return cells.map((row) => row.map(quoted).join("\t")).join("\n");
}

/** All rows are as long as the first one. */
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
      if (place >= text.length) break; // what spreadsheets end the last row with
      rows.push([]);
    }
  }
  const [first] = rows;
  return rows.map((row) => first!.map((_, index) => row[index] ?? ""));
}
