/** The colours of the pages, light and dark, for CodeMirror. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--code)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { boxShadow: "inset 2px 0 var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--line)",
  },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--surface)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--accent-ink)", backgroundColor: "var(--accent)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--code)" },
});

const words = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: "var(--literal)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.invalid, color: "var(--error)" },
]);

export const editorLooks = [theme, syntaxHighlighting(words)];
