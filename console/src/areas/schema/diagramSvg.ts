/** The diagram as a separate picture to save. */
import { HEAD, LINE, MOST_COLUMNS, WIDTH, type Box, type Layout } from "./diagramLayout.ts";
import { shortType } from "../../service/rows/shortType.ts";
import { t } from "../../words/words.ts";

const INK = "#1d2733";
const QUIET = "#59636e";
/** The number of letters that fit into a line. */
const LETTERS = 34;

export function diagramSvg({ boxes, lines, width, height }: Layout): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M 0 0 L 8 4 L 0 8" fill="none" stroke="${QUIET}"/></marker></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
${boxes.map(boxSvg).join("\n")}
${lines.map(({ path, title }) => `<path d="${path}" fill="none" stroke="${QUIET}" marker-end="url(#arrow)"><title>${escaped(title)}</title></path>`).join("\n")}
</svg>
`;
}

function boxSvg({ table: { name, columns, key }, x, y, height }: Box): string {
  const rows = columns.slice(0, MOST_COLUMNS).map((column, index) => {
    const at = y + HEAD + LINE * index + 13;
    const isKey = key.includes(column.name) ? ' font-weight="600"' : "";
    const rest = Math.max(4, LETTERS - column.name.length);
    return `<text x="${x + 8}" y="${at}"${isKey}>${escaped(cut(column.name, LETTERS))}</text><text x="${x + WIDTH - 8}" y="${at}" text-anchor="end" fill="${QUIET}">${escaped(cut(shortType(column.type), rest))}</text>`;
  });
  const more = columns.length - MOST_COLUMNS;
  if (more > 0)
    rows.push(
      `<text x="${x + 8}" y="${y + HEAD + LINE * MOST_COLUMNS + 13}" fill="${QUIET}">${escaped(t("{count} more", { count: more }))}</text>`,
    );
  return `<rect x="${x}" y="${y}" width="${WIDTH}" height="${height}" rx="4" fill="none" stroke="#c8ccd0"/><text x="${x + 8}" y="${y + 19}" font-size="13" font-weight="600">${escaped(cut(name, LETTERS))}</text>
${rows.join("\n")}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
