import { json } from "@codemirror/lang-json";
import { defaultHighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";

export default function Diff({ before, after }: { before: string; after: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme("light") === "dark";
  useEffect(() => {
    const view = new EditorView({
      doc: after,
      parent: place.current!,
      extensions: [
        json(),
        ...(isDark ? [EditorView.darkTheme.of(true)] : [syntaxHighlighting(defaultHighlightStyle)]),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Differences", tabindex: "0" }),
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 8 } }),
      ],
    });
    return () => view.destroy();
  }, [before, after, isDark]);
  return <div className="editor" ref={place} />;
}
