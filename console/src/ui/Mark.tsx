/** The mark of Portolan: the rose of its pages and of the browser's tab, in the colours of the theme. */

/** `size`: in pixels. */
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg className="mark-of-portolan" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <circle cx="16" cy="16" r="14" fill="currentColor" />
      <path d="M16 3l3 10 10 3-10 3-3 10-3-10-10-3 10-3z" />
    </svg>
  );
}
