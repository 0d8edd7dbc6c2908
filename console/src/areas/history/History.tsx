/** Tables whose history is kept, and the open one. */
import { Link } from "@tanstack/react-router";
import { RelationsArea } from "../../ui/relations.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { t } from "../../words/words.ts";
import { parts } from "../../words/parts.ts";

export function History() {
  const { data: account } = useAccount();
  return (
    <RelationsArea
      title={t("History")}
      to="/history/$schema/$table"
      has={({ versionedSince }) => versionedSince !== undefined}
      none={t("No table keeps its history.")}
    >
      <p>{t("Choose a table to see it at any instant since its history is kept.")}</p>
      {account?.superUser && (
        <p>
          {parts("A super user begins the history of a table in {schema}, among its settings.", {
            schema: <Link to="/schema">{t("Schema")}</Link>,
          })}
        </p>
      )}
    </RelationsArea>
  );
}
