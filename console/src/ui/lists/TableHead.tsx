import { t } from "../../words/words.ts";

/** The titles of a table's columns. The title above buttons is empty. */
export function TableHead({ titles }: { readonly titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title === "" ? <span className="hidden">{t("What to do")}</span> : title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
