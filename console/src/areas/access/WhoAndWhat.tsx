/** The form of a question about access: an account, an interface, an address and a table. */
import { useState } from "react";
import { qualifiedName, SERVICES, useTables, useUsers, type Question } from "../../service/access.ts";
import { useSchemas } from "../../ui/schemas.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { t } from "../../words/words.ts";

export interface WhoAndWhatProps {
  readonly action: string;
  /** The initial account. Default: the first that is not a super user. */
  readonly account?: string | undefined;
  /** The initial table. */
  readonly on?: { readonly schema: string | undefined; readonly table: string | undefined };
  readonly isAsking: boolean;
  readonly onAsk: (question: Question, table: { readonly schema: string; readonly table: string }) => void;
  /** Called to see the whole console as the account. */
  readonly onEverywhere?: (account: string) => void;
}

export function WhoAndWhat({ action, account: first = "", on, isAsking, onAsk, onEverywhere }: WhoAndWhatProps) {
  const users = useUsers();
  const own = useSchemas();
  const [account, setAccount] = useState(first);
  const [service, setService] = useState<NonNullable<Question["service"]>>("graphql");
  const [ip, setIp] = useState("");
  const [chosen, setSchema] = useState(on?.schema);
  const [table, setTable] = useState(on?.table ?? "");
  const schema = chosen ?? own[0] ?? "";
  const tables = useTables(schema);
  const who = account || (users.data?.find(({ superuser }) => !superuser)?.name ?? "");
  const what = tables.data?.includes(table) ? table : (tables.data?.[0] ?? "");

  return (
    <form
      className="filter"
      aria-label={t("Who and what")}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(
          { account: who, relation: qualifiedName(schema, what), service, ...(ip !== "" && { ip }) },
          { schema, table: what },
        );
      }}
    >
      <Field label={t("Account")}>
        <select value={who} onChange={({ target }) => setAccount(target.value)}>
          {users.data?.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label={t("Interface")}>
        <select value={service} onChange={({ target }) => setService(target.value as typeof service)}>
          {SERVICES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      <Field label={t("Address")}>
        <input
          placeholder={t("an unknown address")}
          value={ip}
          spellCheck={false}
          onChange={({ target }) => setIp(target.value)}
        />
      </Field>
      <Field label={t("Schema")}>
        <select value={schema} onChange={({ target }) => setSchema(target.value)}>
          {own.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label={t("Table")}>
        <select value={what} onChange={({ target }) => setTable(target.value)}>
          {tables.data?.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <button type="submit" aria-disabled={isAsking || who === "" || what === ""}>
        {isAsking ? t("Asking …") : action}
      </button>
      {onEverywhere && (
        <button type="button" aria-disabled={who === ""} onClick={() => who !== "" && onEverywhere(who)}>
          {t("Open the console as {who}", { who })}
        </button>
      )}
    </form>
  );
}
