/** The relations of all schemas, and the open one. */
import { RelationsArea } from "../../ui/relations.tsx";
import { t } from "../../words/words.ts";

export function Data() {
  return (
    <RelationsArea title={t("Data")} to="/data/$schema/$table" none={t("Nothing that you may see.")}>
      <p>{t("Choose a table to see its rows, under your own rights.")}</p>
    </RelationsArea>
  );
}
