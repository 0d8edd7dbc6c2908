import { useId, useState, type ChangeEvent } from "react";
import { SERVICES, useTables, useUsers, type Rule } from "../../service/access.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAllSchemas } from "../../ui/schemas.ts";
import { t } from "../../words/words.ts";

export interface RuleDialogProps {
  /** Undefined for a new rule. */
  readonly rule: Rule | undefined;
  readonly onDone: (rule: Rule) => void;
  readonly onClose: () => void;
}

const NEW: Rule = {
  priority: 0,
  username: "",
  service: "*",
  request: "*",
  schema: "*",
  table: "",
  iprange: "*",
  access: "deny",
  filter: null,
  mfa: false,
};

const NAMED = ["username", "schema", "table", "iprange"] as const;
type Named = (typeof NAMED)[number];

const HINTS = {
  username: t("An account or a group, which means its members; * means all, and * and ? stand for any text"),
  schema: t("Its name; * means all"),
  table: t("Its name; * means all, cit* all that begin with cit"),
  iprange: t("*, an address or a network such as 10.0.0.0/8"),
} as const;

/** The names that a rule can have, and the faults of those that it has. */
function useNames(members: Rule) {
  const schemas = useAllSchemas();
  const users = useUsers();
  const own = schemas.includes(members.schema) ? members.schema : (schemas[0] ?? "");
  const tables = useTables(own);
  const known: Readonly<Record<string, readonly string[]>> = {
    username: users.data?.map(({ name }) => name) ?? [],
    schema: schemas,
    table: tables.data ?? [],
  };

  /** The problem of a text without wildcards, which must be the name of something. */
  function faultOf(member: Named, isWhole: boolean): string | undefined {
    const text = members[member];
    const isKnown = { username: users.data, schema: true, table: schemas.includes(members.schema) && tables.data };
    if (member === "iprange" || text === "" || /[*?]/.test(text) || !isKnown[member]) return undefined;
    const wanted = member === "username" ? text.toLowerCase() : text;
    const isThere = known[member]!.some((name) => (isWhole ? name === wanted : name.startsWith(wanted)));
    return isThere ? undefined : noneText(member, text);
  }
  return { known, faultOf };
}

/** The second factor of a rule. A rule that denies applies to requests with a second factor too. */
function FactorField({ members, onChange }: { readonly members: Rule; readonly onChange: (mfa: boolean) => void }) {
  if (members.access === "deny") return undefined;
  return (
    <Field label={t("Second factor")} hint={t("Others are denied")}>
      <select value={String(members.mfa)} onChange={({ target }) => onChange(target.value === "true")}>
        <option value="false">{t("not needed")}</option>
        <option value="true">{t("needed")}</option>
      </select>
    </Field>
  );
}

/** The rule without the members that its kind of access does not have. */
function asWritten(members: Rule): Rule {
  const { access, filter, mfa } = members;
  return { ...members, filter: access === "limit" ? (filter ?? "") : null, mfa: access !== "deny" && mfa };
}

const FILTER_HINT = t("A condition on the table's columns; {key} is the account's properties.key", { key: "{{key}}" });

export function RuleDialog({ rule, onDone, onClose }: RuleDialogProps) {
  const [members, setMembers] = useState<Rule>(rule ?? NEW);
  const { known, faultOf } = useNames(members);
  const id = useId();
  /** The fields that the user has left. A field that is being typed in is judged by its beginning only. */
  const [left, setLeft] = useState<ReadonlySet<Named>>(new Set());

  /** Checks the fields. Any table name is accepted, since a rule may exist before its table. */
  function check(): void {
    const fault = faultOf("username", true) ?? faultOf("schema", true);
    if (fault !== undefined) throw new Error(fault);
  }

  const set =
    (member: keyof Rule) =>
    ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>): void =>
      setMembers((before) => ({ ...before, [member]: member === "priority" ? Number(target.value) : target.value }));

  return (
    <FormDialog
      title={rule ? t("Change a rule") : t("Add a rule")}
      action={rule ? t("Change") : t("Add")}
      onClose={onClose}
      onSubmit={async () => {
        check();
        onDone(asWritten(members));
      }}
    >
      <Field label={t("Access")}>
        <select autoFocus value={members.access} onChange={set("access")}>
          {["allow", "limit", "deny"].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      {members.access === "limit" && (
        <Field label={t("Filter")} hint={FILTER_HINT}>
          <textarea required spellCheck={false} rows={2} value={members.filter ?? ""} onChange={set("filter")} />
        </Field>
      )}
      {NAMED.map((member) => {
        const fault = faultOf(member, left.has(member));
        return (
          <Field key={member} label={TITLES[member]} hint={fault ?? HINTS[member]}>
            <input
              required
              spellCheck={false}
              list={`${id}-${member}`}
              aria-invalid={fault === undefined ? undefined : true}
              value={members[member]}
              onChange={set(member)}
              onFocus={() => setLeft((before) => new Set([...before].filter((each) => each !== member)))}
              onBlur={() => setLeft((before) => new Set(before).add(member))}
            />
          </Field>
        );
      })}
      <Field label={t("Interface")} hint={t("For SQL of an account, and for stored methods, it is sql")}>
        <select value={members.service} onChange={set("service")}>
          {["*", ...SERVICES].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      <FactorField members={members} onChange={(mfa) => setMembers((before) => ({ ...before, mfa }))} />
      <Field label={t("Request")}>
        <select value={members.request} onChange={set("request")}>
          {["*", "select", "insert", "update", "delete"].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      <Field label={t("Priority")} hint={t("Lower ones are evaluated first; moving the rule in the list sets it too")}>
        <input type="number" required step={1} value={members.priority} onChange={set("priority")} />
      </Field>
      {Object.entries(known).map(([member, names]) => (
        <datalist key={member} id={`${id}-${member}`}>
          {["*", ...names].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      ))}
    </FormDialog>
  );
}

const TITLES = { username: t("Account"), schema: t("Schema"), table: t("Table"), iprange: t("Address") } as const;

function noneText(member: "username" | "schema" | "table", text: string): string {
  if (member === "username") return t("There is no account {text}.", { text });
  return member === "schema" ? t("There is no schema {text}.", { text }) : t("There is no table {text}.", { text });
}
