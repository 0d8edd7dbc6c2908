/** The public page of a dashboard that is shared with everybody, and the code that embeds it. */
import { service } from "../../service/http/address.ts";
import type { Dashboard } from "../../service/dashboards.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { CopiedLink } from "../../ui/code/CopiedLink.tsx";
import { iframeOf } from "../../ui/code/iframe.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { t } from "../../words/words.ts";

export function SharedLink({ dashboard: { name, title } }: { readonly dashboard: Dashboard }) {
  const { data: account } = useAccount();
  if (!account) return null;
  const page = `${service}/dashboards/${encodeURIComponent(account.database)}/${name}`;
  return (
    <>
      <h3>{t("Public page")}</h3>
      <p className="quiet">
        {t("Everybody sees it without an account, with the data that needs none. It only reads.")}
      </p>
      <CopiedLink text={page} />
      <CodeSamples label={t("For pages")} samples={[{ name: "iframe", code: iframeOf(page, title ?? name) }]} />
      <p className="quiet">
        {t("A page of another site may embed it where the administrator has named its origin (option embedOrigins).")}
      </p>
    </>
  );
}
