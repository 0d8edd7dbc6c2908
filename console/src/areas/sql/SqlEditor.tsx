import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";

export interface SqlEditorProps {
  /** What it begins with; afterwards the editor has the text. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: (statement: string) => void;
}

/** CodeMirror, whose styles carry the nonce of the page. */
export function SqlEditor({ text, onChange, onRun }: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onChange, onRun });
  handlers.current = { onChange, onRun };
  const begun = useRef(text);

  useEffect(() => {
    const run = ({ state }: EditorView): boolean => {
      const { from, to } = state.selection.main;
      handlers.current.onRun(from === to ? state.doc.toString() : state.sliceDoc(from, to));
      return true;
    };
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: begun.current,
        extensions: [
          EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""),
          EditorView.contentAttributes.of({ "aria-label": "Statement" }),
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          syntaxHighlighting(defaultHighlightStyle),
          sql({ dialect: PostgreSQL }),
          // before the keys that are everywhere: Ctrl-Enter would begin a line
          keymap.of([{ key: "Mod-Enter", run }]),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) handlers.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, []);

  return <div ref={place} className="sql-editor" />;
}
