/** Icons, all from one library. They accompany words and never replace them, so no reader depends on them. */
import type { LucideIcon } from "lucide-react";

/** `size`: in pixels. */
export function Icon({ of: Drawing, size = 18 }: { readonly of: LucideIcon; readonly size?: number }) {
  return <Drawing className="icon" size={size} strokeWidth={1.75} aria-hidden="true" />;
}
