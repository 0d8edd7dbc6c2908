/** Decimal numbers of any size as text that sorts like the numbers. */
import { withoutAtEnd } from "./texts.ts";

const NUMBER = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;
/** The limits of PostgreSQL's numeric: 131072 digits before the point, 16383 after it. */
const LARGEST_EXPONENT = 200_000;

/**
 * `text`: PostgreSQL's text of a numeric. Equal numbers give the same text, larger ones a later one, by code unit; NaN comes
 * last, as in PostgreSQL. Undefined for a text that is no such number.
 */
export function sortableDecimal(text: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text.trim()) ?? [];
  if (whole === "" && fraction === "") return notFinite(text);
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutAtEnd(digits, "0");
  if (significant === "") return "1";
  // the place of the first digit: 0.5 has 0, 5 has 1
  const place = digits.length - fraction.length + Number(exponent);
  if (Math.abs(place) > LARGEST_EXPONENT) return undefined;
  const sortable = String(place + LARGEST_EXPONENT).padStart(6, "0") + significant;
  return sign === "-" ? `0${complement(sortable)}~` : `2${sortable}`;
}

function notFinite(text: string): string | undefined {
  switch (text.trim().toLowerCase()) {
    case "nan":
      return "4";
    case "infinity":
    case "+infinity":
    case "inf":
    case "+inf":
      return "3";
    case "-infinity":
    case "-inf":
      return "/"; // before 0
    default:
      return undefined;
  }
}

/** Each digit taken from 9; what follows must be later than any digit, so that the longer of two is the smaller. */
function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
