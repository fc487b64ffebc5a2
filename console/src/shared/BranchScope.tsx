import { Alert, Text } from "@mantine/core";
import { Navigate, Outlet, useLocation, useParams } from "@tanstack/react-router";
import { useApi, useProject } from "./api/hooks";
import type { Branch } from "./api/types";
import { Empty, Loaded } from "./parts";
import { ScreenLink } from "./ScreenLink";

/** The screens of a branch. The address of the default branch leads to the one without a branch. */
export function BranchScope() {
  const { project = "", branch = "" } = useParams({ strict: false });
  const path = useLocation({ select: (location) => location.pathname });
  const branches = useApi<Branch[]>("storage", "/dev-branches");
  const rest = path.split(`/branch/${branch}`)[1];
  if (rest === undefined) return null; // the address has changed already, and this screen is being left
  return (
    <Loaded of={branches}>
      {(found) => {
        const named = found.find((each) => String(each.id) === branch);
        if (branch === "default" || named?.isDefault) return <Navigate to={`/projects/${project}${rest}` as "/"} replace />;
        if (!named) return <Empty title="There is no such branch">It was deleted, or belongs to another project. <ScreenLink to={`/projects/${project}/`}>Go to Main</ScreenLink></Empty>;
        return <Within branch={named} main={`/projects/${project}${rest}`} />;
      }}
    </Loaded>
  );
}

function Within({ branch, main }: { branch: Branch; main: string }) {
  const { data: token } = useProject();
  const hasStorage = token?.owner?.features?.includes("storage-branches");
  return (
    <>
      <Alert color="violet" variant="light" mb="md" py={6} role="note">
        <Text size="sm" c="var(--mantine-color-text)">
          You are in the branch <b>{branch.name}</b>. Configurations that you change here stay here.{" "}
          {hasStorage ? "It has buckets and tables of its own." : "Buckets and tables are those of the project; what jobs write gets names of the branch."}{" "}
          <ScreenLink to={main}>Leave the branch</ScreenLink>
        </Text>
      </Alert>
      <Outlet key={branch.id} />
    </>
  );
}
