/** The parts of a workbook beside its cells: sheets, formats, and texts that cells share (ECMA-376 part 1, §18). */
import { posix } from "node:path";
import { badInput } from "../../ground/errors.ts";
import { childOf, parseXml, type XmlElement } from "../../types/xml.ts";
import type { ZipReader } from "../zip.ts";
import { momentOf, type Moment } from "./moments.ts";
import { PartReader } from "./partReader.ts";

export interface Workbook {
  /** Sheets of cells: their names, and where they are in the zip file. */
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  /** Where the shared texts are; undefined: there are none. */
  readonly texts: string | undefined;
  /** For each style of cells, whether its numbers are dates or times; undefined: they are plain numbers. */
  readonly moments: readonly (Moment | undefined)[];
}

export interface Sheet {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

/** Of the workbook's own description, and of its styles. */
const MOST_BYTES_OF_PART = 16_000_000;
/** Bytes of all shared texts in memory, about, and of one without its letters. */
const MOST_BYTES_OF_TEXTS = 128_000_000;
const BYTES_OF_TEXT = 32;

/** Throws `BAD_USER_INPUT` if it is not a workbook. */
export async function readWorkbook(zip: ZipReader): Promise<Workbook> {
  const root = await relations(zip, "_rels/.rels", "");
  const path = root.find(({ type }) => type === "officeDocument")?.path;
  if (path === undefined || !zip.names.includes(path)) badInput("the file is not an Excel workbook (.xlsx)");
  if (path.endsWith(".bin")) badInput("the file is an .xlsb workbook, which is not supported: save it as .xlsx");
  const own = await relations(zip, relationsOf(path), path.slice(0, path.lastIndexOf("/") + 1));
  const workbook = await part(zip, path);
  const partOf = (type: string): string | undefined =>
    own.find((each) => each.type === type && zip.names.includes(each.path))?.path;
  const properties = childOf(workbook, "workbookPr")?.attributes.get("date1904");
  const styles = partOf("styles");
  const sheets = childOf(workbook, "sheets")?.children ?? [];
  return {
    sheets: sheets.flatMap(({ attributes }): Sheet[] => {
      const found = own.find(({ id, type }) => id === attributes.get("id") && type === "worksheet");
      const isHidden = (attributes.get("state") ?? "visible") !== "visible";
      return found ? [{ name: attributes.get("name") ?? "", path: found.path, isHidden }] : [];
    }),
    is1904: properties === "1" || properties === "true",
    texts: partOf("sharedStrings"),
    moments: styles === undefined ? [] : momentsOf(await part(zip, styles)),
  };
}

interface Relation {
  readonly id: string | undefined;
  /** The last part of its address. */
  readonly type: string;
  readonly path: string;
}

function relationsOf(path: string): string {
  const name = path.lastIndexOf("/") + 1;
  return `${path.slice(0, name)}_rels/${path.slice(name)}.rels`;
}

async function relations(zip: ZipReader, path: string, folder: string): Promise<readonly Relation[]> {
  if (!zip.names.includes(path)) return [];
  return (await part(zip, path)).children.map(({ attributes }) => {
    const target = attributes.get("Target") ?? "";
    return {
      id: attributes.get("Id"),
      type: (attributes.get("Type") ?? "").replace(/^.*\//, ""),
      path: target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
    };
  });
}

async function part(zip: ZipReader, path: string): Promise<XmlElement> {
  return parseXml((await zip.read(path, MOST_BYTES_OF_PART)).toString().replace(/^\ufeff/, ""));
}

function momentsOf(styles: XmlElement): readonly (Moment | undefined)[] {
  const codes = new Map(
    (childOf(styles, "numFmts")?.children ?? []).map(({ attributes }) => [
      Number(attributes.get("numFmtId")),
      attributes.get("formatCode") ?? "",
    ]),
  );
  return (childOf(styles, "cellXfs")?.children ?? []).map(({ attributes }) => {
    const id = Number(attributes.get("numFmtId") ?? 0);
    return momentOf(id, codes.get(id));
  });
}

/** The texts that cells name by their number. Throws `LIMIT_EXCEEDED` where they are too many for the memory. */
export async function readTexts(zip: ZipReader, path: string): Promise<readonly string[]> {
  const texts: string[] = [];
  let [bytes, text, aside] = [0, "", 0];
  const reader = new PartReader(path, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") aside++; // said in words for the message
    },
    text(name, value) {
      if (name === "t" && aside === 0) text += value;
    },
    close(name) {
      if (name === "rPh") aside--;
      if (name !== "si") return;
      bytes += text.length * 2 + BYTES_OF_TEXT;
      if (bytes > MOST_BYTES_OF_TEXTS)
        badInput(
          `the workbook has over ${MOST_BYTES_OF_TEXTS / 1_000_000} MB of different texts: save the sheet as CSV`,
        );
      texts.push(text);
    },
  });
  for await (const _ of reader.read(zip.stream(path)));
  return texts;
}
