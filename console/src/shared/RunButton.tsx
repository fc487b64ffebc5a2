// Runs a configuration. What is edited is saved first, so that never an older version runs than the one that is shown.
import { useState } from "react";
import { Act } from "./Act";
import { call } from "./api/client";
import { enc, useChange } from "./api/hooks";
import type { Job } from "./api/types";
import { Confirm } from "./Confirm";
import { findFullLoads } from "./fullLoads";
import { saveDraft } from "./saving";
import { useDraftsOf } from "./useDraft";

interface Props {
  component: string;
  config: string;
  /** As it is stored. */
  document?: unknown;
  onStarted: (job: Job) => void;
}

export function RunButton({ component, config, document, onStarted }: Props) {
  const path = `/components/${enc(component)}/configs/${enc(config)}`;
  const drafts = useDraftsOf(path);
  const [isAsking, setAsking] = useState(false);
  const warnings = component === "ex-generic-v2" ? findFullLoads(drafts.find((each) => each.path === path)?.text ?? document) : [];
  const start = async (): Promise<Job> => {
    for (const draft of drafts) await saveDraft(draft);
    return call<Job>("queue", "/jobs", { method: "POST", body: { component, config, mode: "run" } });
  };
  const run = useChange(start, onStarted);
  return (
    <>
      <Act needs={{ component, runs: true }} loading={run.isPending} onClick={() => (warnings.length ? setAsking(true) : run.mutate(undefined))}>{drafts.length ? "Save and run" : "Run"}</Act>
      {isAsking && (
        <Confirm title="This run may empty the table" action="Run anyway" work={async () => { onStarted(await start()); }} onClose={() => setAsking(false)}>
          {warnings.map((each) => <p key={each} style={{ margin: 0 }}>{each}</p>)}
        </Confirm>
      )}
    </>
  );
}
