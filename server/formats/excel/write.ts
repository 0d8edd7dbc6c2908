/** A workbook of Office Open XML (ECMA-376): one sheet for each million rows, written as a stream. */
import { FORMAT_NAMES } from "../names.ts";
import { Zip, ZipDeflate, strToU8 } from "fflate";
import { GatewayError } from "../../ground/errors.ts";
import type { Write } from "../../kernel/http/answer.ts";
import type { TextRow } from "../../kernel/database/database.ts";
import { rowOf } from "../../types/table.ts";
import type { Column } from "../column.ts";
import type { Format, Writer } from "../writer.ts";

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_CELL = 32_767;

/** Styles by their place in `cellXfs`. */
const STYLES = { plain: 0, date: 1, timestamp: 2, time: 3, head: 4 } as const;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const excel: Format = {
  mediaType: FORMAT_NAMES.excel.mediaType,
  binary: true,
  open: (write) => new Workbook(write),
};

class Workbook implements Writer {
  readonly #write: Write;
  readonly #zip: Zip;
  readonly #chunks: Uint8Array[] = [];
  #failure: Error | undefined;
  #columns: readonly Column[] = [];
  #cells: ((text: string) => string)[] = [];
  #sheet: ZipDeflate | undefined;
  #sheets = 0;
  #rows = 0;

  constructor(write: Write) {
    this.#write = write;
    this.#zip = new Zip((error, chunk) => {
      if (error) this.#failure = error;
      else this.#chunks.push(chunk);
    });
  }

  start(columns: readonly Column[]): Promise<void> {
    if (columns.length > MAX_COLUMNS)
      throw new GatewayError("LIMIT_EXCEEDED", `A sheet has at most ${MAX_COLUMNS} columns`, { sqlstate: "54011" });
    this.#columns = columns;
    this.#cells = columns.map(cellOf);
    this.#openSheet();
    return this.#drain();
  }

  rows(rows: readonly TextRow[]): Promise<void> {
    let text = "";
    for (const row of rows) {
      if (this.#rows === MAX_ROWS) {
        this.#sheet!.push(strToU8(text));
        text = "";
        this.#closeSheet();
        this.#openSheet();
      }
      this.#rows++;
      text += "<row>";
      for (let index = 0; index < this.#cells.length; index++) {
        const value = row[index]!;
        text += value === null ? "<c/>" : this.#cells[index]!(value);
      }
      text += "</row>";
    }
    this.#sheet!.push(strToU8(text));
    return this.#drain();
  }

  end(): Promise<void> {
    if (!this.#sheet) this.#openSheet();
    this.#closeSheet();
    const numbers = Array.from({ length: this.#sheets }, (_, index) => index + 1);
    for (const [name, text] of Object.entries(parts(numbers))) this.#add(name).push(strToU8(XML + text), true);
    this.#zip.end();
    return this.#drain();
  }

  #add(name: string): ZipDeflate {
    const file = new ZipDeflate(name, { level: 4 });
    this.#zip.add(file);
    return file;
  }

  #openSheet(): void {
    this.#sheets++;
    this.#rows = 1;
    this.#sheet = this.#add(`xl/worksheets/sheet${this.#sheets}.xml`);
    const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
    const head = this.#columns.map(({ name }) => textCell(name, STYLES.head)).join("");
    this.#sheet.push(
      strToU8(
        `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><sheetData><row>${head}</row>`,
      ),
    );
  }

  #closeSheet(): void {
    this.#sheet!.push(strToU8("</sheetData></worksheet>"), true);
  }

  async #drain(): Promise<void> {
    if (this.#failure) throw this.#failure;
    for (const chunk of this.#chunks.splice(0)) await this.#write(chunk);
  }
}

function parts(sheets: readonly number[]): Record<string, string> {
  const overrides = sheets.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`,
  );
  const formats = ["yyyy\\-mm\\-dd", "yyyy\\-mm\\-dd\\ hh:mm:ss", "hh:mm:ss"];
  return {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>${overrides.join("")}</Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="r${n}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${sheets.map((n) => `<Relationship Id="r${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join("")}<Relationship Id="styles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><numFmts count="3">${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join("")}</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/>${[164, 165, 166].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join("")}<xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  };
}

function cellOf({ type, output, formatted }: Column): (text: string) => string {
  const { cell, moment } = rowOf(type);
  const asText = (text: string): string => textCell(output.plain(text), STYLES.plain);
  if (formatted) return asText;
  // a spreadsheet keeps 15 digits
  if (cell === "number")
    return (text) => (/^-?\d/.test(text) && digitsOf(text) <= 15 ? `<c><v>${text}</v></c>` : asText(text));
  if (cell === "boolean") return (text) => `<c t="b"><v>${text === "t" ? 1 : 0}</v></c>`;
  if (moment === undefined || moment === "timetz") return asText;
  return (text) => {
    const serial = serialOf(text);
    return serial === undefined ? asText(text) : `<c s="${STYLES[moment]}"><v>${serial}</v></c>`;
  };
}

function digitsOf(text: string): number {
  return text.replace(/e.*/i, "").replace(/\D/g, "").replace(/^0+/, "").length;
}

/**
 * Days since 1899-12-30, for days after 1900-02-29, which spreadsheets count though it never was; with the time as shown.
 */
function serialOf(text: string): number | undefined {
  const [, year, month, day, hours = "0", minutes = "0", seconds = "0"] =
    /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:[^\s\d.]\S*)?)?$/.exec(text) ?? [];
  const time = (h: string, m: string, s: string): number => (Number(h) * 3600 + Number(m) * 60 + Number(s)) / 86_400;
  if (year === undefined) {
    const [, h, m, s] = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text) ?? [];
    return h === undefined ? undefined : time(h, m!, s!);
  }
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000 + 25_569;
  return days > 60 ? days + time(hours, minutes, seconds) : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };

/** A text is never a formula. Characters that XML cannot hold are written `_x0001_` (ECMA-376 part 1, 22.9.2.19). */
function textCell(text: string, style: number): string {
  if (text.length > MAX_CELL)
    throw new GatewayError("LIMIT_EXCEEDED", `A cell has at most ${MAX_CELL} characters`, { sqlstate: "54000" });
  const escaped = text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/g, (one) => {
      return `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
    })
    .replaceAll(/[&<>\r]/g, (one) => ENTITIES[one]!);
  return `<c t="inlineStr"${style === 0 ? "" : ` s="${style}"`}><is><t xml:space="preserve">${escaped}</t></is></c>`;
}
