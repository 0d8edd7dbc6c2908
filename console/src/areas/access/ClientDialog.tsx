/** The form of a client: the common settings, and all others in sections that open. */
import { useState, type ReactNode } from "react";
import type { Client } from "../../service/access.ts";
import type { ClientSecret } from "../../service/http/openapi.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { t } from "../../words/words.ts";
import { changedMembers, membersOf, typedOf, type Lifetime, type PartProps, type SetTyped } from "./clientMembers.ts";

export interface ClientDialogProps {
  /** Undefined for a new client. */
  readonly client: Client | undefined;
  readonly onClose: () => void;
  readonly onDone: (made: ClientSecret) => Promise<void>;
}

/** The grants, those of a new client first. */
const GRANTS: Readonly<Record<Client["grants"][number], string>> = {
  authorization_code: t("a code, for people who sign in here"),
  refresh_token: t("a refresh token"),
  device_code: t("a code that is typed in elsewhere"),
  password: t("name and password, for which it asks itself"),
  client_credentials: t("an account of its own"),
  token_exchange: t("an exchange for less scope"),
  jwt_bearer: t("a token of another issuer, such as a CI"),
};
const GRANT_NAMES = Object.keys(GRANTS) as readonly (keyof typeof GRANTS)[];

const LIFETIMES: readonly (readonly [name: Lifetime, label: string, most: number])[] = [
  ["access_token_lifetime_seconds", t("Access token"), 31_536_000],
  ["refresh_token_lifetime_seconds", t("Refresh token, after its last use"), 31_536_000],
  ["code_lifetime_seconds", t("Code"), 600],
  ["device_code_lifetime_seconds", t("Code of a device"), 86_400],
  ["device_poll_interval_seconds", t("A device asks every"), 300],
];

export function ClientDialog({ client, onClose, onDone }: ClientDialogProps) {
  const [id, setId] = useState("");
  const [typed, setTyped] = useState(() => typedOf(client));
  const set: SetTyped = (name, value) => setTyped((before) => ({ ...before, [name]: value }));
  const part = { typed, set };

  async function save(): Promise<void> {
    const members = changedMembers(membersOf(typed), client);
    if (client) {
      await rest.PATCH("/clients/{names}", { params: { path: { names: client.id } }, body: members });
      return onDone({});
    }
    const body = { ...(id !== "" && { id }), public: typed.public, ...members };
    return onDone((await answer(rest.POST("/clients", { body }))) as ClientSecret);
  }

  return (
    <FormDialog
      title={client ? t("Change {id}", { id: client.id }) : t("Add a client")}
      action={client ? t("Save") : t("Add")}
      onClose={onClose}
      onSubmit={save}
    >
      {!client && (
        <Field label={t("Id")} hint={t("Left empty: a random one")}>
          <input autoFocus name="id" spellCheck={false} value={id} onChange={({ target }) => setId(target.value)} />
        </Field>
      )}
      <Text label={t("Name")} hint={t("Shown when somebody is asked to agree")} name="name" isNeeded {...part} />
      <Lines
        label={t("Redirect URIs")}
        hint={t("One address a line: https, or http on this machine")}
        name="redirect_uri"
        {...part}
      />
      <Check
        name="public"
        {...part}
        {...(client && !client.public && typed.public && { hint: t("Its secret ends.") })}
        {...(client?.public && !typed.public && { hint: t("It has no secret until you give it one.") })}
      >
        {t("Public: it runs where it cannot keep a secret, such as in a browser")}
      </Check>
      <Consent {...part} />
      <Asking {...part} />
      <Proof {...part} />
      <SigningIn {...part} />
      <Lifetimes {...part} />
      <Check name="disabled" {...part}>
        {t("Disabled: it gets no tokens, and existing ones are not valid")}
      </Check>
    </FormDialog>
  );
}

function Consent(part: PartProps) {
  return (
    <details>
      <summary>{t("What people read and are asked")}</summary>
      <Address label={t("Its own page")} name="homepage" {...part} />
      <Text label={t("Description")} name="description" {...part} />
      <Check name="confirm" {...part}>
        {t("People are asked whether they agree")}
      </Check>
    </details>
  );
}

function Asking({ typed, set }: PartProps) {
  const toggle = (grant: Client["grants"][number], isChosen: boolean): void =>
    set("grants", isChosen ? [...typed.grants, grant] : typed.grants.filter((each) => each !== grant));
  return (
    <details>
      <summary>{t("How it gets tokens")}</summary>
      <fieldset className="grants">
        <legend>{t("For")}</legend>
        {GRANT_NAMES.map((grant) => (
          <label key={grant}>
            <input
              type="checkbox"
              name="grants"
              checked={typed.grants.includes(grant)}
              onChange={({ target }) => toggle(grant, target.checked)}
            />{" "}
            {GRANTS[grant]} <code>{grant}</code>
          </label>
        ))}
      </fieldset>
      {(typed.grants.includes("client_credentials") || typed.account !== "") && (
        <Text
          label={t("Acts as the account")}
          hint={t("With the grant client_credentials")}
          name="account"
          {...{ typed, set }}
        />
      )}
      <Check name="refresh_reuse" {...{ typed, set }} hint={t("A stolen one stays valid unnoticed.")}>
        {t("Old refresh tokens stay valid, for a tool that keeps its first one")}
      </Check>
    </details>
  );
}

function Proof({ typed, set }: PartProps) {
  const part = { typed, set };
  return (
    <details>
      <summary>{t("How it proves who it is")}</summary>
      {!typed.public && (
        <>
          <Choice label={t("Authentication")} name="token_endpoint_auth_method" {...part}>
            <option value="">{t("by its secret, in either way")}</option>
            <option value="client_secret_basic">{t("by its secret, in the header")}</option>
            <option value="client_secret_post">{t("by its secret, in the body")}</option>
            <option value="private_key_jwt">{t("by a key of its own (private_key_jwt)")}</option>
          </Choice>
          {typed.token_endpoint_auth_method === "private_key_jwt" && (
            <>
              <Address
                label={t("Address of its public keys")}
                hint={t("Or give the keys below")}
                name="jwks_uri"
                {...part}
              />
              <Field label={t("Public keys")} hint={t("A JSON Web Key Set")}>
                <textarea
                  name="jwks"
                  rows={3}
                  spellCheck={false}
                  value={typed.jwks}
                  onChange={({ target }) => set("jwks", target.value)}
                />
              </Field>
              <Choice label={t("It signs by")} name="token_endpoint_auth_signing_alg" {...part}>
                <option value="">{t("any of them")}</option>
                <option>ES256</option>
                <option>PS256</option>
                <option>RS256</option>
              </Choice>
            </>
          )}
          <Check name="require_pkce" {...part}>
            {t("Needs a code challenge (PKCE) in each request")}
          </Check>
        </>
      )}
      <Check name="require_par" {...part}>
        {t("Must push its requests (PAR)")}
      </Check>
      <Check name="dpop_bound_access_tokens" {...part}>
        {t("Gets only tokens that are bound to a key (DPoP)")}
      </Check>
    </details>
  );
}

function SigningIn(part: PartProps) {
  return (
    <details>
      <summary>{t("Signing people in")}</summary>
      <Choice label={t("ID tokens are signed by")} name="id_token_signed_response_alg" {...part}>
        <option>RS256</option>
        <option>ES256</option>
      </Choice>
      <Choice
        label={t("Knows an account by")}
        hint={t("Pairwise: by a name that no other client knows")}
        name="subject_type"
        {...part}
      >
        <option value="">{t("as the service says")}</option>
        <option>public</option>
        <option>pairwise</option>
      </Choice>
      <Address
        label={t("Address of its sector")}
        hint={t("Clients with the same host here get the same pairwise name of an account")}
        name="sector_identifier_uri"
        {...part}
      />
      <Lines
        label={t("Addresses after a sign-out")}
        hint={t("One a line: where a browser may go after the client has signed it out")}
        name="post_logout_redirect_uris"
        {...part}
      />
      <Address label={t("Is told of a sign-out at")} name="backchannel_logout_uri" {...part} />
    </details>
  );
}

function Lifetimes({ typed, set }: PartProps) {
  return (
    <details>
      <summary>{t("How long what it gets is valid")}</summary>
      <div className="fields columns lifetimes">
        {LIFETIMES.map(([name, label, most]) => (
          <Field key={name} label={label} hint={t("Seconds, {most} at most", { most })}>
            <input
              type="number"
              required
              name={name}
              min={1}
              max={most}
              value={typed[name]}
              onChange={({ target }) => set(name, target.value)}
            />
          </Field>
        ))}
      </div>
    </details>
  );
}

interface NamedProps<Name> extends PartProps {
  readonly label: string;
  readonly hint?: string;
  readonly name: Name;
}

type TextName =
  | "name"
  | "description"
  | "account"
  | "homepage"
  | "jwks_uri"
  | "sector_identifier_uri"
  | "backchannel_logout_uri";

interface TextProps extends NamedProps<TextName> {
  readonly type?: "text" | "url";
  readonly isNeeded?: boolean;
}

function Text({ label, hint, name, type = "text", isNeeded = false, typed, set }: TextProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      <input
        type={type}
        name={name}
        required={isNeeded}
        spellCheck={name === "description"}
        value={typed[name]}
        onChange={({ target }) => set(name, target.value)}
      />
    </Field>
  );
}

function Address(props: Omit<TextProps, "type">) {
  return <Text {...props} type="url" />;
}

function Lines({ label, hint, name, typed, set }: NamedProps<"redirect_uri" | "post_logout_redirect_uris">) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      <textarea
        name={name}
        rows={2}
        spellCheck={false}
        value={typed[name]}
        onChange={({ target }) => set(name, target.value)}
      />
    </Field>
  );
}

interface ChoiceProps extends NamedProps<
  "token_endpoint_auth_method" | "token_endpoint_auth_signing_alg" | "id_token_signed_response_alg" | "subject_type"
> {
  readonly children: ReactNode;
}

function Choice({ label, hint, name, typed, set, children }: ChoiceProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      <select
        name={name}
        value={typed[name]}
        onChange={({ target }) => set(name, target.value as (typeof typed)[typeof name])}
      >
        {children}
      </select>
    </Field>
  );
}

interface CheckProps extends PartProps {
  readonly name:
    | "public"
    | "confirm"
    | "refresh_reuse"
    | "disabled"
    | "require_pkce"
    | "require_par"
    | "dpop_bound_access_tokens";
  readonly hint?: string;
  readonly children: string;
}

function Check({ name, hint, typed, set, children }: CheckProps) {
  return (
    <label>
      <input type="checkbox" name={name} checked={typed[name]} onChange={({ target }) => set(name, target.checked)} />{" "}
      {children} {hint !== undefined && <span className="quiet">{hint}</span>}
    </label>
  );
}

export function clientPath(id: string): string {
  return `/clients/${encodeURIComponent(id)}`;
}
