/** The parameters of statements, which are written `:name`. */
import { PostgreSQL } from "@codemirror/lang-sql";

const PARAMETER = /(?<![:\w]):([A-Za-z_]\w*)/g;
const NO_CODE = /String|Comment|Quoted/;

/** The names of parameters in the order of the text, each once. */
export function parametersIn(text: string): readonly string[] {
  const found = [...text.matchAll(PARAMETER)];
  if (found.length === 0) return [];
  const tree = PostgreSQL.language.parser.parse(text);
  return [
    ...new Set(found.filter(({ index }) => !NO_CODE.test(tree.resolveInner(index, 1).name)).map(([, name]) => name!)),
  ];
}
