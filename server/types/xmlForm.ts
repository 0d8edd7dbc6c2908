/** The forms of values in XML, by the simple types of XML Schema. */

export interface XmlForm {
  /** The name of the simple type. */
  readonly type: string;
  /**
   * PostgreSQL's text → the text of the type; undefined for a value that the type does not have. Default: the same. It is
   * the same for every text that ends with a digit.
   */
  readonly toXml?: (text: string) => string | undefined;
  /** The text of the type → what `toText` of the row reads. Default: the same. */
  readonly fromXml?: (text: string) => string;
}

/** A date before Christ has a year with a sign, and an infinite one has no form. */
function moment(type: "date" | "dateTime"): XmlForm {
  return {
    type,
    toXml: (text) => (/^\d/.test(text) ? text.replace(/^(.*) BC$/, "-$1") : undefined),
    fromXml: (text) => text.replace(/^-(\d.*)$/, "$1 BC"),
  };
}

export const xmlForms = {
  string: { type: "string" },
  boolean: { type: "boolean", toXml: (text) => (text === "t" ? "true" : "false") },
  int: { type: "int" },
  long: { type: "long" },
  decimal: { type: "decimal" },
  double: {
    type: "double",
    toXml: (text) => text.replace("Infinity", "INF"),
    fromXml: (text) => text.replace(/^([-+]?)INF$/, "$1Infinity"),
  },
  date: moment("date"),
  dateTime: moment("dateTime"),
  time: { type: "time" },
} as const satisfies Readonly<Record<string, XmlForm>>;
