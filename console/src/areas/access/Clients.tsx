/**
 * Clients, the programs that get tokens: their settings, their redirect URIs, and their secrets, which are shown once.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isBuiltIn, useClients, type Client } from "../../service/access.ts";
import type { ClientSecret } from "../../service/http/openapi.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { ClientDialog, clientPath } from "./ClientDialog.tsx";
import { RegistrationDialog } from "./RegistrationDialog.tsx";
import { RegistrationTokens } from "./RegistrationTokens.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";
import { ShownOnce } from "./ShownOnce.tsx";
import { t } from "../../words/words.ts";

type Open =
  | { readonly what: "new" | "registration" }
  | { readonly what: "change" | "remove" | "renew"; readonly client: Client }
  | { readonly what: "secret"; readonly secret: string; readonly kind: "secret" | "token" };

const TITLES = [t("Id"), t("Name"), t("Kind"), t("Redirect URIs"), ""];

export function Clients() {
  const clients = useClients();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen((now) => (now?.what === "secret" && open?.what !== "secret" ? now : undefined));
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ["clients"] });
  const tell = ({ secret }: ClientSecret): void => {
    if (secret !== undefined) setOpen({ what: "secret", secret, kind: "secret" });
  };
  return (
    <section aria-label={t("Clients")}>
      <div className="head">
        <h1>{t("Clients")}</h1>
        <span className="tools">
          <button type="button" className="primary" onClick={() => setOpen({ what: "new" })}>
            {t("Add a client")}
          </button>
          <button type="button" onClick={() => setOpen({ what: "registration" })}>
            {t("Let clients register")}
          </button>
        </span>
      </div>
      <ErrorNote error={clients.error} />
      <ScrolledTable className="stacked" label={t("All clients")} titles={TITLES}>
        {clients.data?.map((client) => (
          <tr key={client.id}>
            <th scope="row">{client.id}</th>
            <td>{client.name}</td>
            <td>{kindOf(client)}</td>
            <td className="wide">{client.redirect_uri.join(" ")}</td>
            <td className="tools">
              <ClientTools client={client} onOpen={setOpen} />
            </td>
          </tr>
        ))}
      </ScrolledTable>
      <RegistrationTokens />
      {(open?.what === "new" || open?.what === "change") && (
        <ClientDialog
          client={open.what === "change" ? open.client : undefined}
          onClose={close}
          onDone={async (made) => {
            tell(made);
            await reload();
          }}
        />
      )}
      {open?.what === "registration" && (
        <RegistrationDialog
          onClose={close}
          onDone={async (secret) => {
            setOpen({ what: "secret", secret, kind: "token" });
            await queries.invalidateQueries({ queryKey: ["registration-tokens"] });
          }}
        />
      )}
      {open?.what === "renew" && <RenewDialog client={open.client} onClose={close} onDone={tell} />}
      {open?.what === "remove" && (
        <RemoveDialog
          noun={t("client")}
          name={open.client.id}
          path={clientPath(open.client.id)}
          onClose={close}
          onDone={reload}
        >
          {t("All of its tokens become invalid at once.")}
        </RemoveDialog>
      )}
      {open?.what === "secret" && (
        <ShownOnce
          title={open.kind === "secret" ? t("The secret, shown this once") : t("The token, shown this once")}
          label={open.kind === "secret" ? t("Secret") : t("Token")}
          value={open.secret}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

function kindOf({ public: isPublic, token_endpoint_auth_method: method, origin, disabled }: Client): string {
  const proof = isPublic ? t("public") : method === "private_key_jwt" ? t("has a key") : t("has a secret");
  const from =
    origin === "registration" ? t(", registered itself") : origin === "document" ? t(", by its document") : "";
  return `${proof}${from}${disabled ? t(", disabled") : ""}`;
}

const ACTIONS = [
  ["change", t("Change")],
  ["renew", t("New secret")],
  ["remove", t("Remove")],
] as const;

function ClientTools({ client, onOpen }: { readonly client: Client; readonly onOpen: (open: Open) => void }) {
  const offered: Readonly<Record<(typeof ACTIONS)[number][0], boolean>> = {
    change: true,
    renew: !client.public,
    remove: !isBuiltIn(client),
  };
  return ACTIONS.filter(([what]) => offered[what]).map(([what, title]) => (
    <button
      key={what}
      type="button"
      className="plain"
      aria-label={`${title}: ${client.id}`}
      onClick={() => onOpen({ what, client })}
    >
      {title}
    </button>
  ));
}

interface RenewDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onDone: (made: ClientSecret) => void;
}

function RenewDialog({ client, onClose, onDone }: RenewDialogProps) {
  return (
    <FormDialog
      title={t("Give {id} a new secret?", { id: client.id })}
      action={t("Create new secret")}
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        const [made] = await answer(rest.POST("/clients/{names}/secret", { params: { path: { names: client.id } } }));
        onDone(made!);
      }}
    >
      <p>{t("The old secret becomes invalid at once; existing tokens stay valid.")}</p>
    </FormDialog>
  );
}
