// A question before something is lost: it says what, and may ask to write its name.
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { showError } from "./api/hooks";

interface Props {
  title: string;
  /** On the button. */
  action: string;
  /** What has to be written to go on, for what cannot be undone. */
  word?: string;
  work: () => Promise<unknown>;
  then?: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function Confirm({ title, action, word = "", work, then, onClose, children }: Props) {
  const [written, setWritten] = useState("");
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: work,
    onSuccess: async () => {
      // What is not there any more is not asked for again while its screen is left.
      await queries.invalidateQueries({ refetchType: then ? "none" : "active" });
      onClose();
      then?.();
    },
    onError: showError,
  });
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); change.mutate(undefined); }}>
        <Stack>
          <Text size="sm" component="div" className="wrap">{children}</Text>
          {word && <TextInput label={`Write ${word} to go on`} value={written} onChange={(event) => setWritten(event.currentTarget.value)} autoComplete="off" data-autofocus />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button type="submit" color="red" disabled={written !== word} loading={change.isPending}>{action}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
