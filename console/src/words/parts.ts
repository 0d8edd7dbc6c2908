/** Texts with elements in them. */
import { createElement, Fragment, type ReactNode } from "react";
import { number, template, type Names, type Text } from "./words.ts";

/** As `t`, with elements as values: `parts("You see it as {account}.", { account: <strong>{name}</strong> })`. */
export function parts<Of extends Text>(text: Of, values: Readonly<Record<Names<Of>, ReactNode>>): ReactNode {
  const pieces = template(text).split(/\{(\w+)\}/);
  return createElement(
    Fragment,
    null,
    ...pieces.map((piece, index) => {
      const value = index % 2 === 0 ? piece : values[piece as Names<Of>];
      return typeof value === "number" ? number(value) : value;
    }),
  );
}
