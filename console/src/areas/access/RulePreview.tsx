/** The rows that an account sees now, and those that it would see with the edited rules. */
import { useState } from "react";
import { explain, type Explanation, type Question, type Rule } from "../../service/access.ts";
import { rowsText } from "../../service/rows/useRows.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { Reasons } from "./Explained.tsx";
import { WhoAndWhat } from "./WhoAndWhat.tsx";
import { t } from "../../words/words.ts";

export interface RulePreviewProps {
  /** Undefined where nothing was changed. */
  readonly draft: readonly Rule[] | undefined;
}

interface Preview {
  readonly now: Explanation;
  readonly then: Explanation | undefined;
}

export function RulePreview({ draft }: RulePreviewProps) {
  const [preview, setPreview] = useState<Preview>();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  async function ask(question: Question): Promise<void> {
    setIsAsking(true);
    setFailure(null);
    setPreview(undefined);
    try {
      const now = await explain(question);
      setPreview({ now, then: draft && (await explain(question, draft)) });
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setIsAsking(false);
    }
  }

  return (
    <section aria-label={t("What it does")}>
      <h2>{t("What it does")}</h2>
      <p className="quiet">
        {t(
          "The rules are tried as that account and rolled back; readers of their tables wait meanwhile, for a moment at most.",
        )}
      </p>
      <WhoAndWhat action={t("Try")} isAsking={isAsking} onAsk={(question) => void ask(question)} />
      <ErrorNote error={failure} />
      {preview && <Compared {...preview} />}
    </section>
  );
}

const show = (count: number | null): string => (count === null ? t("too many rows to count") : rowsText(count));

function Compared({ now, then }: Preview) {
  const compared = then ?? now;
  return (
    <div className="compared">
      <p role="status">
        {then
          ? t("It sees {rows}; with these rules it would see {others}.", {
              rows: show(now.count),
              others: show(then.count),
            })
          : t("It sees {rows}.", { rows: show(now.count) })}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("Request")}</th>
            <th scope="col">{t("Now")}</th>
            {then && <th scope="col">{t("With these rules")}</th>}
          </tr>
        </thead>
        <tbody>
          {now.decisions.map((decision, index) => (
            <tr key={decision.request}>
              <th scope="row">{decision.request}</th>
              <td>{decisionText(decision)}</td>
              {then && <td>{decisionText(then.decisions[index]!)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <Reasons
        title={t("Policies beside the rules")}
        reasons={compared.policies}
        none={t("The table has no policy.")}
      />
    </div>
  );
}

export function decisionText({ granted, access, rule }: Explanation["decisions"][number]): string {
  if (!granted) return t("no grant");
  return rule === null ? t("granted, no rule") : t("{access} by rule {rule}", { access, rule });
}
