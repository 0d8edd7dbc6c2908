/** The methods that the person may call, and the open one. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { allMethods } from "../../service/methods.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { NewMethodDialog } from "../../ui/forms/NewMethodDialog.tsx";
import { t } from "../../words/words.ts";

export function Methods() {
  const { method } = useParams({ strict: false });
  const found = useQuery(allMethods);
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <SideList
        title={t("Methods")}
        label={t("Methods")}
        noun={t("a method")}
        isChosen={method !== undefined}
        empty={t("Choose a method to run or change it, or write one: a statement that programs call.")}
      >
        {(search) => (
          <>
            <button type="button" className="wide" onClick={() => setIsNew(true)}>
              {t("Write a method")}
            </button>
            <SideLinks found={found} nameOf={({ method: name }) => name} search={search} none={t("No methods yet.")}>
              {({ method: name, published, function: row }) => (
                <Link to="/methods/$method" params={{ method: name }}>
                  {name} {!published && !row && <span className="quiet">{t("not published")}</span>}
                  {row && <span className="quiet">{t("a function")}</span>}
                </Link>
              )}
            </SideLinks>
          </>
        )}
      </SideList>
      {isNew && <NewMethodDialog onClose={() => setIsNew(false)} />}
    </>
  );
}
