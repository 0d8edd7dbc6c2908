/** The findings of doctor, the most severe first, each with its remedy. */
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { findings, type Finding } from "../../service/operation.ts";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { Part } from "./Part.tsx";
import { t } from "../../words/words.ts";

export function Findings() {
  const query = useQuery(findings);
  const { data } = query;
  const bad = data?.filter(({ ok }) => !ok).sort((a, b) => rank(a) - rank(b)) ?? [];
  const good = data?.filter(({ ok }) => ok) ?? [];
  return (
    <Part
      id="doctor"
      title={t("Advisors")}
      query={query}
      hint={t("what doctor found, with the remedy")}
      reload={[t("Check again"), t("Checking …")]}
    >
      {data && bad.length === 0 && (
        <p>
          <span className="mark good">
            <Icon of={CircleCheck} size={16} />
            {t("No problem found")}
          </span>
        </p>
      )}
      <ul className="parts" aria-label={t("Findings")}>
        {bad.map((finding) => (
          <BadFinding key={finding.finding} finding={finding} />
        ))}
      </ul>
      {good.length > 0 && (
        <details>
          <summary>{t("{count} checks passed", { count: good.length })}</summary>
          <ul>
            {good.map(({ finding }) => (
              <li key={finding} lang="en">
                {finding}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Part>
  );
}

function rank({ severity }: Finding): number {
  return severity === "error" ? 0 : 1;
}

function BadFinding({ finding: { finding, severity, remedy } }: { readonly finding: Finding }) {
  const text = remedy.join("\n");
  return (
    <li>
      <div className="tools">
        <span className={`mark ${severity === "error" ? "deny" : "warn"}`}>{severity}</span>
        <span className="what" lang="en">
          {finding}
        </span>
      </div>
      {text !== "" && (
        <div className="preview">
          <pre tabIndex={0} role="region" aria-label={t("Remedy: {finding}", { finding })}>
            {text}
          </pre>
          <CopyButton text={text} title={t("Copy the remedy")} />
        </div>
      )}
    </li>
  );
}
