import { Button, Group, Stack, Text } from "@mantine/core";
import { call } from "./api/client";
import { openProject } from "./api/address";
import { useApi, useChange } from "./api/hooks";
import type { OwnInvitation } from "./api/types";
import { ROLE_NAMES } from "./roles";

/** The projects that the person was invited to. Nothing is shown without an invitation. */
export function OwnInvitations() {
  const found = useApi<OwnInvitation[]>("manage", "/current-user/projects-invitations");
  if (!found.data?.length) return null;
  return <Stack gap="xs">{found.data.map((each) => <One key={each.id} invitation={each} />)}</Stack>;
}

function One({ invitation: { id, project, role, creator } }: { invitation: OwnInvitation }) {
  const path = `/current-user/projects-invitations/${id}`;
  const accept = useChange(() => call("manage", path, { method: "PUT" }), () => project && openProject(project.id));
  const decline = useChange(() => call("manage", path, { method: "DELETE" }));
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600} className="wrap">{project?.name}</Text>
        <Text size="xs" c="dimmed">{creator.name || creator.email} invites you{role ? ` as ${ROLE_NAMES[role]}` : ""}.</Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" loading={accept.isPending} onClick={() => accept.mutate(undefined)}>Accept</Button>
        <Button size="xs" variant="default" loading={decline.isPending} onClick={() => decline.mutate(undefined)}>Decline</Button>
      </Group>
    </Group>
  );
}
