/** The plan of a statement as a tree, with the most expensive node marked. */
import type { Plan, PlanNode } from "../../service/sql/plan.ts";
import { t } from "../../words/words.ts";

export function PlanTree({ plan }: { readonly plan: Plan }) {
  const { Plan: root, "Planning Time": planning, "Execution Time": execution } = plan;
  const whole = weightOf(root);
  return (
    <div className="scroll plan" role="region" aria-label={t("Plan")} tabIndex={0}>
      {execution !== undefined && (
        <p className="quiet">
          {t("Planned in {planning} ms, run in {execution} ms, and rolled back.", {
            planning: planning ?? 0,
            execution,
          })}
        </p>
      )}
      <ul>
        <Node node={root} whole={whole} />
      </ul>
    </div>
  );
}

/** The cost of the node alone, without its children: milliseconds if it ran, otherwise PostgreSQL's cost. */
function weightOf(node: PlanNode): number {
  const time = node["Actual Total Time"];
  return time === undefined ? node["Total Cost"] : time * (node["Actual Loops"] ?? 1);
}

function ownWeightOf(node: PlanNode): number {
  return Math.max(0, weightOf(node) - (node.Plans ?? []).reduce((sum, child) => sum + weightOf(child), 0));
}

const HEAVY = 0.3;
/** The properties of a node, most informative first. The first that it has is shown. */
const DETAILS = ["Index Cond", "Filter", "Hash Cond", "Merge Cond", "Join Filter", "Sort Key", "Group Key"] as const;

function Node({ node, whole }: { readonly node: PlanNode; readonly whole: number }) {
  const share = whole > 0 ? ownWeightOf(node) / whole : 0;
  const { "Plan Rows": expected, "Actual Rows": actual, "Actual Loops": loops = 1 } = node;
  return (
    <li>
      <meter
        min={0}
        max={1}
        value={share}
        aria-label={t("Share of the whole")}
        title={`${Math.round(share * 100)} %`}
      />{" "}
      <strong className={share >= HEAVY ? "heavy" : ""}>{titleOf(node)}</strong>{" "}
      <span className="quiet">
        {Math.round(share * 100)} %, {rowsOf(actual === undefined ? expected : actual * loops)}
        {actual !== undefined &&
          (loops > 1
            ? t(", {expected} expected each of {loops} times", { expected, loops })
            : t(", {expected} expected", { expected }))}
      </span>
      {DETAILS.filter((name) => node[name] !== undefined).map((name) => (
        <code key={name}>
          {name}: {String(node[name])}
        </code>
      ))}
      {node["Rows Removed by Filter"] !== undefined && (
        <span className="quiet">{t("{rows} read and left out", { rows: rowsOf(node["Rows Removed by Filter"]) })}</span>
      )}
      {node.Plans && (
        <ul>
          {node.Plans.map((child, index) => (
            <Node key={index} node={child} whole={whole} />
          ))}
        </ul>
      )}
    </li>
  );
}

function titleOf(node: PlanNode): string {
  const of = node["Relation Name"] ?? node["CTE Name"] ?? node["Function Name"];
  const operation = node["Operation"];
  return [
    operation ?? node["Node Type"],
    of !== undefined && t("on {relation}", { relation: of }),
    node["Index Name"] !== undefined && t("by {index}", { index: node["Index Name"] }),
  ]
    .filter(Boolean)
    .join(" ");
}

function rowsOf(count: number): string {
  return `${count} ${count === 1 ? "row" : "rows"}`;
}
