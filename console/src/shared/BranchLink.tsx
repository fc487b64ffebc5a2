import { Navigate, useParams } from "@tanstack/react-router";
import { useApi } from "./api/hooks";
import type { Branch } from "./api/types";
import { Empty, Loaded } from "./parts";

/** An address that names a branch. The console shows the default branch, so any other has no screens. */
export function BranchLink() {
  const { project = "", branch = "", _splat: rest = "" } = useParams({ strict: false });
  const branches = useApi<Branch[]>("storage", "/dev-branches");
  return (
    <Loaded of={branches}>
      {(found) => {
        const named = found.find((each) => String(each.id) === branch);
        if (branch === "default" || named?.isDefault) return <Navigate to={`/projects/${project}/${rest}` as "/"} replace />;
        return <Empty title={named ? `The branch “${named.name}” is not shown here` : "There is no such branch"}>The console shows the default branch. Development branches are used by commands and APIs.</Empty>;
      }}
    </Loaded>
  );
}
