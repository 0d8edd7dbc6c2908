/** One method: its statement, its parameters as a form, its result, and sample code that calls it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { allMethods, type Method } from "../../service/methods.ts";
import { rest } from "../../service/http/rest.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { MethodEditor } from "./MethodEditor.tsx";
import { t } from "../../words/words.ts";

export function MethodPage() {
  const { method: name } = useParams({ from: "/methods/$method" });
  const { data, error, isPending } = useQuery(allMethods);
  const method = data?.find((each) => each.method === name);
  if (isPending) return <p className="empty">{t("One moment …")}</p>;
  if (error && !data) return <ErrorNote error={error} />;
  if (!method) return <NotFound what={t("There is no method {name}, or you may not call it.", { name })} />;
  return (
    <>
      <ErrorNote error={error} />
      <Opened key={name} method={method} />
    </>
  );
}

function Opened({ method }: { readonly method: Method }) {
  const { data: account } = useAccount();
  const client = useQueryClient();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const superUser = account?.superUser ?? false;
  const mayChange = !method.function && (superUser || method.owner === account?.sub);

  async function change(members: object): Promise<void> {
    await rest.PATCH("/methods/{names}", { params: { path: { names: method.method } }, body: members });
    await client.invalidateQueries({ queryKey: allMethods.queryKey });
  }

  function publish(): void {
    change({ published: !method.published }).then(() => setFailure(null), setFailure);
  }

  return (
    <section className="workbench method" aria-label={method.method}>
      <div className="head">
        <h1>{method.method}</h1>
        <span className="quiet" role="status">
          {stateOf(method)}
        </span>
        <span className="tools">
          {superUser && !method.function && (
            <button type="button" onClick={publish}>
              {method.published ? t("Unpublish") : t("Publish")}
            </button>
          )}
          {mayChange && (
            <button type="button" onClick={() => setIsRemoving(true)}>
              {t("Remove")}
            </button>
          )}
        </span>
      </div>
      {method.description && <p className="quiet">{method.description}</p>}
      <ErrorNote error={failure} onClose={() => setFailure(null)} />
      <MethodEditor
        method={method}
        mayChange={mayChange}
        unpublishes={method.published && !superUser}
        onSave={change}
      />
      {isRemoving && <RemoveDialog method={method} onClose={() => setIsRemoving(false)} />}
    </section>
  );
}

function stateOf({ function: row, owner, published }: Method): string {
  if (row) return t("The function {schema}.{name}: it is changed in SQL", { schema: row.schema, name: row.name });
  const state = published ? t("Published: others may call it") : t("Not published");
  return owner === null ? state : t("{state}, of {owner}", { state, owner });
}

function RemoveDialog({ method, onClose }: { readonly method: Method; readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={t("Remove the method {method}?", { method: method.method })}
      action={t("Remove {method}", { method: method.method })}
      isDanger
      onClose={onClose}
      onSubmit={async () => {
        await rest.DELETE("/methods/{names}", { params: { path: { names: method.method } } });
        await navigate({ to: "/methods" });
        await client.invalidateQueries({ queryKey: allMethods.queryKey });
      }}
    >
      <p>{t("Its callers get an error from then on. This cannot be undone. No row is changed.")}</p>
    </FormDialog>
  );
}
