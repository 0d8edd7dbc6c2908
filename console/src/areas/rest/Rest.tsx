/** The REST interface: its operations, by subject, and the open one. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { service } from "../../service/http/address.ts";
import { operations } from "../../service/openapiDocument.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { t } from "../../words/words.ts";

export function Rest() {
  const { operation } = useParams({ strict: false });
  const found = useQuery(operations);
  const tags = [...new Set(found.data?.map(({ tag }) => tag))];
  return (
    <SideList
      title="REST"
      label={t("Operations")}
      noun={t("an operation")}
      isChosen={operation !== undefined}
      empty={
        <>
          <p>{t("Choose an operation to see what it takes and answers, to run it, and to copy its call.")}</p>
          <a href={`${service}/api/v4/openapi.json`}>{t("The OpenAPI document")}</a>
        </>
      }
    >
      {(search) =>
        tags.length === 0 ? (
          <SideLinks found={found} nameOf={({ id }) => id} search={search} none={t("None of that name.")}>
            {({ id }) => id}
          </SideLinks>
        ) : (
          tags.map((tag) => (
            <SideLinks
              key={tag}
              title={tag}
              found={found}
              has={(each) => each.tag === tag}
              nameOf={({ method, path, summary }) => `${method} ${path} ${summary}`}
              search={search}
              none={t("None of that name.")}
            >
              {({ id, method, path, summary }) => (
                <Link to="/rest/$operation" params={{ operation: id }} title={summary}>
                  <span className="http-method">{method}</span> {path.replace(/^\/api\/v4/, "")}
                </Link>
              )}
            </SideLinks>
          ))
        )
      }
    </SideList>
  );
}
