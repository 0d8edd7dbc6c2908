/** Example statements on a table that the account may read. */
import { useQuery } from "@tanstack/react-query";
import { SquareTerminal } from "lucide-react";
import { quotedName } from "../../service/sql/literals.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

const SIZES = `select c.oid::regclass as "table", pg_size_pretty(pg_total_relation_size(c.oid)) as size
from pg_class c
where c.relkind = 'r' and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
order by pg_total_relation_size(c.oid) desc
limit 20`;

export function Examples({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const [schema = ""] = useSchemas();
  const { data } = useQuery({ ...tablesOf(schema), enabled: schema !== "" });
  const table = data?.find(({ rights }) => rights.includes("select"));
  const name = table && [table.schema, table.name].map(quotedName).join(".");
  const examples = [
    ...(name === undefined
      ? []
      : [
          [t("Rows of {table}", { table: table!.name }), `select *\nfrom ${name}\nlimit 100`],
          [t("Number of rows in {table}", { table: table!.name }), `select count(*)\nfrom ${name}`],
        ]),
    [t("Largest tables"), SIZES],
  ] as const;
  return (
    <div className="empty">
      <Icon of={SquareTerminal} />
      <h2>{t("Write a statement, or begin with one of these")}</h2>
      <div className="tools">
        {examples.map(([title, text]) => (
          <button key={title} type="button" onClick={() => onChoose(text!)}>
            {title}
          </button>
        ))}
      </div>
    </div>
  );
}
