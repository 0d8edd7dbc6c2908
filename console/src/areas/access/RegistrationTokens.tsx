/** The tokens with which clients may still register themselves, and their end. */
import { useQueryClient } from "@tanstack/react-query";
import { useRegistrationTokens } from "../../service/access.ts";
import { rest } from "../../service/http/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { instant, t } from "../../words/words.ts";

export function RegistrationTokens() {
  const tokens = useRegistrationTokens();
  const queries = useQueryClient();
  const { error, run } = useAttempt();
  if (!tokens.data || tokens.data.length === 0) return <ErrorNote error={tokens.error ?? error} />;

  async function end(id: string): Promise<void> {
    await run(() => rest.DELETE("/registration-tokens/{id}", { params: { path: { id } } }));
    await queries.invalidateQueries({ queryKey: ["registration-tokens"] });
  }

  return (
    <>
      <h2>{t("Tokens with which clients register")}</h2>
      <ErrorNote error={tokens.error ?? error} />
      <ScrolledTable
        className="stacked"
        label={t("Tokens with which clients register")}
        titles={[t("Made by"), t("Made"), t("Clients left"), t("Valid until"), t("Members of each client"), ""]}
      >
        {tokens.data.map(({ id, made_by: by, made_at: made, uses_left: left, expires_at: until, members }) => (
          <tr key={id}>
            <th scope="row">{by}</th>
            <td data-title={t("Made")}>{instant(made)}</td>
            <td data-title={t("Clients left")}>{left}</td>
            <td data-title={t("Valid until")}>{instant(until)}</td>
            <td className="wide">
              <code>{JSON.stringify(members)}</code>
            </td>
            <td className="tools">
              <button
                type="button"
                className="plain"
                aria-label={t("End the token of {by}, made {made}", { by, made: instant(made) })}
                onClick={() => void end(id)}
              >
                {t("End")}
              </button>
            </td>
          </tr>
        ))}
      </ScrolledTable>
    </>
  );
}
