// Asks before changes are lost that are not saved, and shows both versions where two people have edited the same.
import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBlocker, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { showError } from "./api/hooks";
import { askToLeave, type Draft, draftsAt, dropDraft, useQuestion } from "./drafts";
import { Waiting } from "./parts";
import { type Conflict, saveDraft, toText, useConflict } from "./saving";

const Diff = lazy(() => import("./Diff"));

export function Guard() {
  const place = useLocation({ select: ({ pathname }) => pathname });
  const asked = useQuestion();
  const conflict = useConflict();
  useBlocker({
    shouldBlockFn: async ({ current, next }) => next.pathname !== current.pathname && !(await askToLeave(draftsAt(current.pathname))),
    enableBeforeUnload: () => draftsAt(place).length > 0,
  });
  return (
    <>
      {asked && <Question {...asked} />}
      {conflict && <Merge key={conflict.theirs.version} {...conflict} />}
    </>
  );
}

function Question({ drafts, answer }: { drafts: Draft[]; answer: (leaves: boolean) => void }) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      for (const draft of drafts) await saveDraft(draft);
      await queries.invalidateQueries({ refetchType: "none" });
    },
    onSuccess: () => answer(true),
    onError: (error) => {
      showError(error);
      answer(false);
    },
  });
  function discard(): void {
    drafts.forEach(({ key }) => dropDraft(key));
    answer(true);
  }
  const canSave = drafts.every((each) => each.path && each.name !== "");
  return (
    <Modal opened onClose={() => answer(false)} title="There are changes that are not saved" size="lg" zIndex={300} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <List size="sm">{drafts.map((each) => <List.Item key={each.key} className="wrap">{each.title}</List.Item>)}</List>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(false)} data-autofocus>Keep editing</Button>
          <Button variant="light" color="red" onClick={discard}>Discard the changes</Button>
          {canSave && <Button loading={save.isPending} onClick={() => save.mutate()}>Save and leave</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Both versions as one text: each difference can be taken from the other version, or kept. */
function Merge({ draft, theirs, answer }: Conflict) {
  const [text, setText] = useState(draft.text);
  const who = theirs.currentVersion?.creatorToken.description;
  return (
    <Modal opened onClose={() => answer(undefined)} size="80%" title={`${draft.title} was changed meanwhile`} zIndex={300} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm" className="wrap">
          You began with version {draft.version}. {who ? `${who} has stored` : "There is now"} version {theirs.version}{theirs.changeDescription ? `: “${theirs.changeDescription}”` : ""}.
          Red lines are only there, green ones only in yours. “Reject” takes the lines of version {theirs.version}, and the text can be edited.
        </Text>
        <Suspense fallback={<Waiting />}><Diff before={toText(theirs.configuration)} after={draft.text} onChange={setText} /></Suspense>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(undefined)} data-autofocus>Go on editing</Button>
          <Button variant="default" onClick={() => { dropDraft(draft.key); answer(undefined); }}>Take version {theirs.version}</Button>
          <Button onClick={() => answer(text)}>Save this text</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
