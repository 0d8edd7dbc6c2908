import { useLayoutEffect, useRef, useState } from "react";

type Actions = Readonly<Record<string, (...given: never[]) => unknown>>;

/** Functions that stay the same ones from rendering to rendering, and do what those of the last rendering do. */
export function useStable<Given extends Actions>(actions: Given): Given {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState(() =>
    Object.fromEntries(
      Object.keys(actions).map((name) => [name, (...given: never[]) => latest.current[name]!(...given)]),
    ),
  );
  return stable as Given;
}
