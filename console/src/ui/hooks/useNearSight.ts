import { useEffect, useState, type RefObject } from "react";

/** The distance from the visible part within which an element counts as near. */
const MARGIN = "300px";

/** Whether an element is in sight or near it, for parts that cost much. */
export function useNearSight(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const own = element.current!;
    const root = own.closest(".scroll"); // the margin counts around the part that scrolls
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)!.isIntersecting), {
      root,
      rootMargin: MARGIN,
    });
    observer.observe(own);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
