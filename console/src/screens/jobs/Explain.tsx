import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { call } from "../../shared/api/client";
import { showError } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import { Markdown } from "../../shared/Markdown";

/** Why a job failed: the cause, the setting and the fix, as the service AI tells them. */
export function Explain({ job }: { job: Job }) {
  const explain = useMutation({ mutationFn: () => call<{ answer: string }>("ai", "/explain", { method: "POST", body: { jobId: job.id } }), onError: showError });
  if (!explain.data) return <Button mt="sm" size="xs" variant="default" loading={explain.isPending} onClick={() => explain.mutate()}>Explain</Button>;
  return <Text size="sm" mt="sm" component="div" role="region" aria-label="Explanation" c="var(--mantine-color-text)"><Markdown text={explain.data.answer} /></Text>;
}
