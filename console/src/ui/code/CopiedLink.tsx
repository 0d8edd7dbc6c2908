/** A link with a button to copy it. */
import { CopyButton } from "./CopyButton.tsx";

export function CopiedLink({ text }: { readonly text: string }) {
  return (
    <p className="copied">
      <a href={text}>{text}</a> <CopyButton text={text} />
    </p>
  );
}
