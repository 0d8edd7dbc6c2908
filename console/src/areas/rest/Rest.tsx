/** The REST interface: its operations, by subject, and the open one. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { service } from "../../service/http/address.ts";
import { operations, type Operation } from "../../service/openapiDocument.ts";
import { SideLinks } from "../../ui/shell/SideLinks.tsx";
import { SideList } from "../../ui/shell/SideList.tsx";
import { t } from "../../words/words.ts";

/** A path without the part that nearly all have. */
function shortOf(path: string): string {
  return path.replace(/^\/api\/v4/, "");
}

/** The path, which a narrow list breaks before a part of it, not within a word. */
function breakable(path: string): ReactNode {
  return path.split(/(?=\/)/).map((part, index) => (
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ));
}

/** The text in which an operation is looked for. */
function textOf({ method, path, summary }: Operation): string {
  return `${method} ${shortOf(path)} ${summary}`;
}

/** The subjects with an operation that has the text. */
function tagsOf(all: readonly Operation[] = [], search: string): readonly string[] {
  const found = all.filter((each) => textOf(each).toLowerCase().includes(search.toLowerCase()));
  return [...new Set(found.map(({ tag }) => tag))];
}

export function Rest() {
  const { operation } = useParams({ strict: false });
  const found = useQuery(operations);
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
        tagsOf(found.data, search).length === 0 ? (
          <SideLinks found={found} nameOf={textOf} search={search} none={t("None of that name.")}>
            {({ id }) => id}
          </SideLinks>
        ) : (
          tagsOf(found.data, search).map((tag) => (
            <SideLinks
              key={tag}
              title={tag}
              found={found}
              has={(each) => each.tag === tag}
              nameOf={textOf}
              search={search}
              none={t("None of that name.")}
            >
              {({ id, method, path, summary }) => (
                <Link to="/rest/$operation" params={{ operation: id }} title={summary} lang="en">
                  <span className="http-method">{method}</span> {breakable(shortOf(path))}
                </Link>
              )}
            </SideLinks>
          ))
        )
      }
    </SideList>
  );
}
