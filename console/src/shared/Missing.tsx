import { useProject } from "./api/hooks";
import { Empty, Go } from "./parts";
import { Navigate } from "@tanstack/react-router";

/** For an address without a screen; the bare address leads to the project. */
export function Missing() {
  const { data } = useProject();
  const isHome = location.pathname.replace(/\/$/, "") === new URL(document.baseURI).pathname.replace(/\/$/, "");
  if (isHome && data?.owner) return <Navigate to={`/projects/${data.owner.id}` as "/"} replace />;
  if (isHome) return null;
  return (
    <Empty title="There is no such page">
      <Go to="">Go to the overview</Go>
    </Empty>
  );
}
