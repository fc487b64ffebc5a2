// The differences of two texts. With `onChange` each of them can be accepted or rejected, and the text is edited.
import { history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";

export default function Diff({ before, after, onChange }: { before: string; after: string; onChange?: (text: string) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const tell = useRef(onChange);
  tell.current = onChange;
  const canEdit = Boolean(onChange);
  const isDark = useComputedColorScheme("light") === "dark";
  useEffect(() => {
    const view = new EditorView({
      doc: after,
      parent: place.current!,
      extensions: [
        json(),
        history(),
        keymap.of(historyKeymap),
        ...(isDark ? [EditorView.darkTheme.of(true)] : [syntaxHighlighting(defaultHighlightStyle)]),
        EditorState.readOnly.of(!canEdit),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Differences", tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && tell.current?.(update.state.doc.toString())),
        unifiedMergeView({ original: before, mergeControls: canEdit, collapseUnchanged: { margin: 3, minSize: 8 } }),
      ],
    });
    return () => view.destroy();
  }, [before, after, isDark, canEdit]);
  return <div className="editor" ref={place} />;
}
