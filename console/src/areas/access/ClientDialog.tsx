/**
 * The form of a client: the common settings, and, in sections that open, its authentication, OpenID Connect and its
 * end.
 */
import { useState } from "react";
import type { Client } from "../../service/access.ts";
import type { ClientChange, ClientSecret } from "../../service/http/openapi.ts";
import { send } from "../../service/http/rest.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { t } from "../../words/words.ts";

export interface ClientDialogProps {
  /** Undefined for a new client. */
  readonly client: Client | undefined;
  readonly onClose: () => void;
  readonly onDone: (made: ClientSecret) => Promise<void>;
}

/** The members as typed: lists with one entry a line, keys as JSON, and a missing value as an empty text. */
type Typed = ReturnType<typeof typedOf>;
type Set = <Name extends keyof Typed>(name: Name, value: Typed[Name]) => void;

export function ClientDialog({ client, onClose, onDone }: ClientDialogProps) {
  const [id, setId] = useState("");
  const [typed, setTyped] = useState(() => typedOf(client));
  const set: Set = (name, value) => setTyped((before) => ({ ...before, [name]: value }));

  async function save(): Promise<void> {
    const members = membersOf(typed);
    if (client) {
      await send("PATCH", clientPath(client.id), changed(members, client));
      return onDone({});
    }
    return onDone(await send<ClientSecret>("POST", "/clients", { ...(id !== "" && { id }), ...given(members) }));
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
          <input autoFocus spellCheck={false} value={id} onChange={({ target }) => setId(target.value)} />
        </Field>
      )}
      <Field label={t("Name")} hint={t("Shown when somebody is asked to agree")}>
        <input required value={typed.name} onChange={({ target }) => set("name", target.value)} />
      </Field>
      <Lines
        label={t("Redirect URIs")}
        hint={t("One address a line: https, or http on this machine")}
        name="redirect_uri"
        {...{ typed, set }}
      />
      {!client && (
        <Check name="public" {...{ typed, set }}>
          {t("Public: it runs where it cannot keep a secret, such as in a browser")}
        </Check>
      )}
      <Proof {...{ typed, set }} />
      <SigningIn {...{ typed, set }} />
      {client && (
        <Check name="disabled" {...{ typed, set }}>
          {t("Disabled: it gets nothing, and its tokens are not valid")}
        </Check>
      )}
    </FormDialog>
  );
}

interface PartProps {
  readonly typed: Typed;
  readonly set: Set;
}

function Proof({ typed, set }: PartProps) {
  return (
    <details>
      <summary>{t("How it proves who it is")}</summary>
      {!typed.public && (
        <>
          <Field label={t("Authentication")}>
            <select
              value={typed.token_endpoint_auth_method}
              onChange={({ target }) => set("token_endpoint_auth_method", target.value)}
            >
              <option value="">{t("by its secret, in either way")}</option>
              <option value="client_secret_basic">{t("by its secret, in the header")}</option>
              <option value="client_secret_post">{t("by its secret, in the body")}</option>
              <option value="private_key_jwt">{t("by a key of its own (private_key_jwt)")}</option>
            </select>
          </Field>
          {typed.token_endpoint_auth_method === "private_key_jwt" && (
            <>
              <Field label={t("Address of its public keys")} hint={t("Or give the keys below")}>
                <input
                  type="url"
                  spellCheck={false}
                  value={typed.jwks_uri}
                  onChange={({ target }) => set("jwks_uri", target.value)}
                />
              </Field>
              <Field label={t("Public keys")} hint={t("A JSON Web Key Set")}>
                <textarea
                  rows={3}
                  spellCheck={false}
                  value={typed.jwks}
                  onChange={({ target }) => set("jwks", target.value)}
                />
              </Field>
            </>
          )}
          <Check name="require_pkce" {...{ typed, set }}>
            {t("Needs a code challenge (PKCE) in each request")}
          </Check>
        </>
      )}
      <Check name="require_par" {...{ typed, set }}>
        {t("Must push its requests (PAR)")}
      </Check>
      <Check name="dpop_bound_access_tokens" {...{ typed, set }}>
        {t("Gets only tokens that are bound to a key (DPoP)")}
      </Check>
    </details>
  );
}

function SigningIn({ typed, set }: PartProps) {
  return (
    <details>
      <summary>{t("Signing people in")}</summary>
      <Field label={t("ID tokens are signed by")}>
        <select
          value={typed.id_token_signed_response_alg}
          onChange={({ target }) => set("id_token_signed_response_alg", target.value === "ES256" ? "ES256" : "RS256")}
        >
          <option>RS256</option>
          <option>ES256</option>
        </select>
      </Field>
      <Field label={t("Knows an account by")} hint={t("Pairwise: by a name that no other client knows")}>
        <select value={typed.subject_type} onChange={({ target }) => set("subject_type", target.value)}>
          <option value="">{t("as the service says")}</option>
          <option>public</option>
          <option>pairwise</option>
        </select>
      </Field>
      <Lines
        label={t("Addresses after a sign-out")}
        hint={t("One a line: where a browser may go that the client has signed out")}
        name="post_logout_redirect_uris"
        {...{ typed, set }}
      />
      <Field label={t("Is told of a sign-out at")}>
        <input
          type="url"
          spellCheck={false}
          value={typed.backchannel_logout_uri}
          onChange={({ target }) => set("backchannel_logout_uri", target.value)}
        />
      </Field>
    </details>
  );
}

interface LinesProps extends PartProps {
  readonly label: string;
  readonly hint: string;
  readonly name: "redirect_uri" | "post_logout_redirect_uris";
}

function Lines({ label, hint, name, typed, set }: LinesProps) {
  return (
    <Field label={label} hint={hint}>
      <textarea rows={2} spellCheck={false} value={typed[name]} onChange={({ target }) => set(name, target.value)} />
    </Field>
  );
}

interface CheckProps extends PartProps {
  readonly name: "public" | "disabled" | "require_pkce" | "require_par" | "dpop_bound_access_tokens";
  readonly children: string;
}

function Check({ name, typed, set, children }: CheckProps) {
  return (
    <label>
      <input type="checkbox" checked={typed[name]} onChange={({ target }) => set(name, target.checked)} /> {children}
    </label>
  );
}

function typedOf(client: Client | undefined) {
  return {
    name: client?.name ?? "",
    redirect_uri: client?.redirect_uri.join("\n") ?? "",
    public: client?.public ?? true,
    disabled: client?.disabled ?? false,
    token_endpoint_auth_method: (client?.token_endpoint_auth_method ?? "") as string,
    jwks_uri: client?.jwks_uri ?? "",
    jwks: client?.jwks ? JSON.stringify(client.jwks, null, 2) : "",
    require_pkce: client?.require_pkce ?? true,
    require_par: client?.require_par ?? false,
    dpop_bound_access_tokens: client?.dpop_bound_access_tokens ?? false,
    id_token_signed_response_alg: client?.id_token_signed_response_alg ?? "RS256",
    subject_type: (client?.subject_type ?? "") as string,
    post_logout_redirect_uris: client?.post_logout_redirect_uris.join("\n") ?? "",
    backchannel_logout_uri: client?.backchannel_logout_uri ?? "",
  };
}

/** Converts the typed members. Throws an error that names the member that is not JSON. */
function membersOf(typed: Typed): ClientChange {
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  return {
    name: typed.name,
    redirect_uri: linesOf(typed.redirect_uri),
    public: typed.public,
    disabled: typed.disabled,
    token_endpoint_auth_method: orNull(typed.token_endpoint_auth_method) as Client["token_endpoint_auth_method"],
    jwks_uri: orNull(typed.jwks_uri),
    jwks: keysOf(typed.jwks),
    require_pkce: typed.require_pkce,
    require_par: typed.require_par,
    dpop_bound_access_tokens: typed.dpop_bound_access_tokens,
    id_token_signed_response_alg: typed.id_token_signed_response_alg,
    subject_type: orNull(typed.subject_type) as Client["subject_type"],
    post_logout_redirect_uris: linesOf(typed.post_logout_redirect_uris),
    backchannel_logout_uri: orNull(typed.backchannel_logout_uri),
  };
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

function keysOf(text: string): Client["jwks"] {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text) as Client["jwks"];
  } catch {
    throw new Error(t("The public keys are no JSON."));
  }
}

/** The members that differ from the client's, so that other people's changes in the meantime are kept. */
function changed(members: ClientChange, client: Client): ClientChange {
  const before = client as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] ?? null)),
  );
}

/** The members without empty ones, for which the service has defaults. */
function given(members: ClientChange): ClientChange {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}

export function clientPath(id: string): string {
  return `/clients/${encodeURIComponent(id)}`;
}
