// Tries a job: at once, when it is asked for, and after each edit if that is wanted.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRefusal } from "../../shared/rights";
import { type Document, TRIES, tryJob } from "./actions";

const AUTO = "penstock.builder.tries";
const PAUSE = 900;

export type Trying = ReturnType<typeof useTrial>;

/** `text` is that of the document, which is null while it cannot be read. */
export function useTrial(document: Document | null, text: string, job: string | undefined) {
  const [isPostAllowed, setPost] = useState(false);
  const [isAuto, setIsAuto] = useState(() => localStorage.getItem(AUTO) === "yes");
  const refusal = useRefusal(TRIES);
  const trial = useMutation({ mutationFn: ({ given, id }: { given: Document; id: string; text: string }) => tryJob(given, id, isPostAllowed) });
  const again = (): void => {
    if (document && job !== undefined && !refusal) trial.mutate({ given: document, id: job, text });
  };
  const tried = trial.variables;
  const isOld = tried !== undefined && (tried.text !== text || tried.id !== job);
  useEffect(again, []); // eslint-disable-line
  useEffect(() => {
    if (!isAuto || !isOld || trial.isPending || !document) return;
    const timer = setTimeout(again, PAUSE);
    return () => clearTimeout(timer);
  }, [isAuto, isOld, text, job, trial.isPending]); // eslint-disable-line
  function setAuto(next: boolean): void {
    setIsAuto(next);
    localStorage.setItem(AUTO, next ? "yes" : "no");
  }
  return { trial, isOld: isOld && !trial.isPending, again, isAuto, setAuto, isPostAllowed, setPost };
}
