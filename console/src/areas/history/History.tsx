/** Tables whose history is kept, and the one that is open. */
import { Link } from "@tanstack/react-router";
import { RelationsArea } from "../../ui/relations.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";

export function History() {
  const { data: account } = useAccount();
  return (
    <RelationsArea
      title="History"
      to="/history/$schema/$table"
      has={({ versionedSince }) => versionedSince !== undefined}
      none="No table keeps its history."
    >
      <p>Choose a table to see it at any instant since its history is kept.</p>
      {account?.superUser && (
        <p>
          A super user begins the history of a table in <Link to="/schema">Schema</Link>, among its settings.
        </p>
      )}
    </RelationsArea>
  );
}
