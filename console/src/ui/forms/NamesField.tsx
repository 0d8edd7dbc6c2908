/** A field for names with commas between them, which offers accounts and groups while one is typed. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type KeyboardEvent } from "react";
import { answer, rest } from "../../service/http/rest.ts";
import { useAccount } from "../hooks/useAccount.ts";
import { t } from "../../words/words.ts";

export interface NamesFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Given by the `Field` around it. */
  readonly id?: string;
  readonly "aria-describedby"?: string | undefined;
}

const MOST_OFFERED = 8;

/** The accounts and groups that the person may list: all for super users, and none for others. */
function useNames(): readonly string[] {
  const isSuper = useAccount().data?.superUser === true;
  const { data = [] } = useQuery({
    queryKey: ["users"],
    queryFn: ({ signal }) => answer(rest.GET("/users", { signal })),
    enabled: isSuper,
  });
  return [...new Set(data.flatMap(({ name, user_group: group }) => [name, ...[group ?? []].flat()]))].sort();
}

export function NamesField({ value, onChange, ...field }: NamesFieldProps) {
  const list = useId();
  const names = useNames();
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [, before = "", typed = ""] = /^(.*[\s,])?([^\s,]*)$/s.exec(value) ?? [];
  const given = new Set(before.split(/[\s,]+/));
  const offered = names
    .filter((name) => !given.has(name) && name !== typed && name.toLowerCase().includes(typed.toLowerCase()))
    .slice(0, MOST_OFFERED);
  const isShown = isOpen && typed !== "" && offered.length > 0;
  const chosen = Math.min(at, offered.length - 1);

  function take(name: string): void {
    onChange(`${before}${name}, `);
    setIsOpen(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!isShown) return;
    if (step !== undefined) setAt((chosen + step + offered.length) % offered.length);
    else if (event.key === "Enter") take(offered[chosen]!);
    else if (event.key === "Escape") setIsOpen(false);
    else return;
    event.preventDefault(); // Enter does not send the form, and Escape does not close the dialog
    event.stopPropagation();
  }

  return (
    <span className="names-field">
      <input
        {...field}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
          setIsOpen(true);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setIsOpen(false)}
      />
      <ul role="listbox" id={list} aria-label={t("Found")} hidden={!isShown}>
        {offered.map((name, index) => (
          // the keys of the field choose; only the pointer acts here
          <li
            key={name}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault(); // the field keeps the focus
              take(name);
            }}
          >
            {name}
          </li>
        ))}
      </ul>
    </span>
  );
}
