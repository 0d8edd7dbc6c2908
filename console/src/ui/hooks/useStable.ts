import { useLayoutEffect, useRef, useState } from "react";

type Actions = Readonly<Record<string, (...given: never[]) => unknown>>;

/** Functions that keep their identity across renderings, and call those of the last rendering. */
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
