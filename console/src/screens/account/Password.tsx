import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";

export function Password() {
  const [password, setPassword] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useChange(() => call("auth", "/password", { method: "POST", body: { password, newPassword } }), () => {
    setPassword("");
    setNew("");
    notifications.show({ color: "teal", title: "The password was changed", message: "All other sign-ins have ended." });
  });
  return (
    <form onSubmit={(event) => { event.preventDefault(); change.mutate(undefined); }}>
      <Stack maw={420}>
        <PasswordInput label="Current password" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.currentTarget.value)} required />
        <PasswordInput label="New password" description="12 to 128 characters. All other sign-ins end." autoComplete="new-password" value={newPassword} onChange={(event) => setNew(event.currentTarget.value)} required />
        <Group><Button type="submit" variant="default" loading={change.isPending}>Change password</Button></Group>
      </Stack>
    </form>
  );
}
