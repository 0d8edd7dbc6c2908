/** The operations of the schema as starting points for documents, and its types for reading. */
import type { IntrospectionField, IntrospectionInputValue, IntrospectionType, IntrospectionTypeRef } from "graphql";
import { useState } from "react";
import { namedType, typeText, type Offered, type Schema } from "./offered.ts";
import { t } from "../../words/words.ts";

const TITLES = { query: t("Queries"), mutation: t("Mutations"), subscription: t("Subscriptions") } as const;

export interface ExplorerProps {
  readonly schema: Schema;
  readonly search: string;
  readonly onBegin: (offered: Offered) => void;
}

export function Explorer({ schema, search, onBegin }: ExplorerProps) {
  const [type, setType] = useState<string>();
  const shown = type === undefined ? undefined : schema.types.get(type);
  if (shown) return <TypePage type={shown} onType={setType} onClose={() => setType(undefined)} />;
  const matches = (name: string): boolean => name.toLowerCase().includes(search.toLowerCase());
  const types = search === "" ? [] : [...schema.types.keys()].filter((name) => !name.startsWith("__") && matches(name));
  return (
    <div className="explorer">
      {(Object.keys(TITLES) as (keyof typeof TITLES)[]).map((kind) => {
        const found = schema.offered.filter((each) => each.kind === kind && matches(each.field.name));
        return (
          found.length > 0 && (
            <section key={kind} aria-label={TITLES[kind]}>
              <h2>{TITLES[kind]}</h2>
              <ul>
                {found.map((each) => (
                  <li key={each.field.name}>
                    <button
                      type="button"
                      className="plain"
                      title={each.field.description ?? undefined}
                      lang="en"
                      onClick={() => onBegin(each)}
                    >
                      {each.field.name}
                    </button>{" "}
                    <TypeLink type={each.field.type} onType={setType} />
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
      {types.length > 0 && (
        <section aria-label={t("Types")}>
          <h2>{t("Types")}</h2>
          <ul>
            {types.map((name) => (
              <li key={name}>
                <button type="button" className="plain" onClick={() => setType(name)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function TypeLink({ type, onType }: { readonly type: IntrospectionTypeRef; readonly onType: (name: string) => void }) {
  return (
    <button
      type="button"
      className="plain quiet"
      aria-label={t("The type {type}", { type: typeText(type) })}
      onClick={() => onType(namedType(type))}
    >
      {typeText(type)}
    </button>
  );
}

interface TypePageProps {
  readonly type: IntrospectionType;
  readonly onType: (name: string) => void;
  readonly onClose: () => void;
}

function TypePage({ type, onType, onClose }: TypePageProps) {
  return (
    <section className="explorer" aria-label={t("The type {name}", { name: type.name })}>
      <button type="button" className="plain" autoFocus onClick={onClose}>
        {t("← All there is to ask")}
      </button>
      <h2>
        {type.name} <span className="quiet">{KINDS[type.kind]}</span>
      </h2>
      {type.description && <p lang="en">{type.description}</p>}
      <ul>
        {membersOf(type).map((member) => (
          <Member key={member.name} member={member} onType={onType} />
        ))}
        {type.kind === "ENUM" && type.enumValues.map(({ name }) => <li key={name}>{name}</li>)}
      </ul>
    </section>
  );
}

function membersOf(type: IntrospectionType): readonly (IntrospectionField | IntrospectionInputValue)[] {
  if (type.kind === "INPUT_OBJECT") return type.inputFields;
  return type.kind === "OBJECT" || type.kind === "INTERFACE" ? type.fields : [];
}

const KINDS: Readonly<Record<IntrospectionType["kind"], string>> = {
  OBJECT: "object",
  INTERFACE: "interface",
  UNION: "union",
  ENUM: "enum",
  SCALAR: "value",
  INPUT_OBJECT: "input",
};

interface MemberProps {
  readonly member: IntrospectionField | IntrospectionInputValue;
  readonly onType: (name: string) => void;
}

function Member({ member, onType }: MemberProps) {
  const args = "args" in member ? member.args : [];
  return (
    <li>
      {member.name} <TypeLink type={member.type} onType={onType} />
      {member.description && (
        <p className="quiet" lang="en">
          {member.description}
        </p>
      )}
      {args.length > 0 && (
        <ul aria-label={t("Arguments of {name}", { name: member.name })}>
          {args.map((arg) => (
            <Member key={arg.name} member={arg} onType={onType} />
          ))}
        </ul>
      )}
    </li>
  );
}
