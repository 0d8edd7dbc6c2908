/** Functions and procedures of a schema, for reading. */
import { useQuery } from "@tanstack/react-query";
import { definitionsOf } from "../../service/tables/definitions.ts";
import { CloseTools } from "../../ui/forms/CloseTools.tsx";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { NameList } from "./NameList.tsx";
import { t } from "../../words/words.ts";

export function FunctionList({ schema }: { readonly schema: string }) {
  const { data, error } = useQuery(definitionsOf(schema));
  return (
    <NameList title={t("Functions")} items={data?.filter(({ kind }) => kind === "function")} error={error}>
      {({ name, sql }, onClose) => (
        <Dialog title={name} onClose={onClose}>
          <div className="preview">
            <pre tabIndex={0} role="region" aria-label={t("SQL of {name}", { name })}>
              {sql}
            </pre>
          </div>
          <CloseTools onClose={onClose}>
            <CopyButton text={sql} title={t("Copy the SQL")} />
          </CloseTools>
        </Dialog>
      )}
    </NameList>
  );
}
