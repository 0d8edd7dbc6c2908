/** A list at the side of an area, with a search field for names. */
import { Outlet } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Icon } from "../Icon.tsx";
import { AREAS } from "./areas.ts";
import { Side } from "./Side.tsx";
import { t } from "../../words/words.ts";

export interface SideListProps {
  /** The name of the area. It is the heading where nothing is chosen. */
  readonly title: string;
  readonly label: string;
  /** The noun with its article, such as `a table`. */
  readonly noun: string;
  readonly isChosen: boolean;
  /** The list for the text in the search field. */
  readonly children: (search: string) => ReactNode;
  /** The content next to it. Default: the open page, or `empty` where there is none. */
  readonly content?: ReactNode;
  readonly empty?: ReactNode;
}

export function SideList({ title, label, noun, isChosen, children, content = <Outlet />, empty }: SideListProps) {
  const [search, setSearch] = useState("");
  const area = AREAS.find((each) => each.title === title);
  return (
    <div className="sided">
      <Side label={label} noun={noun} isChosen={isChosen}>
        <input
          type="search"
          placeholder={t("Find {noun}", { noun })}
          aria-label={t("Find {noun}", { noun })}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        {children(search)}
      </Side>
      <div className="content" tabIndex={-1}>
        {content}
        {!isChosen && empty && (
          <div className="empty">
            {area && <Icon of={area.icon} />}
            <h1>{title}</h1>
            {empty}
          </div>
        )}
      </div>
    </div>
  );
}
