// The addresses of the console. Those of tables, configurations, jobs and flows are the ones that clients print.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Entry } from "./screens/sign-in/Entry";
import { BranchScope } from "./shared/BranchScope";
import { Missing } from "./shared/Missing";
import { Failure } from "./shared/parts";
import { Shell } from "./shared/Shell";

const root = createRootRoute({ component: Entry, notFoundComponent: Missing });
const project = createRoute({ getParentRoute: () => root, path: "projects/$project", component: Shell });
const inBranch = createRoute({ getParentRoute: () => project, path: "branch/$branch", component: BranchScope });

type Load = () => Promise<Record<string, unknown>>;

const SCREENS: [string, Load, string][] = [
  ["/", () => import("./screens/overview/Overview"), "Overview"],
  ["extract", () => import("./screens/extract/Extract"), "Extract"],
  ["extract/$config", () => import("./screens/extract/Extract"), "Extract"],
  ["queue", () => import("./screens/jobs/Jobs"), "Jobs"],
  ["queue/$job", () => import("./screens/jobs/JobDetail"), "JobDetail"],
  ["components/configurations", () => import("./screens/configurations/Configurations"), "Configurations"],
  ["components/$component/$config", () => import("./screens/configurations/ConfigurationDetail"), "ConfigurationDetail"],
  ["components", () => import("./screens/components/Components"), "Components"],
  ["components/$component", () => import("./screens/components/ComponentDetail"), "ComponentDetail"],
  ["storage", () => import("./screens/storage/Storage"), "Storage"],
  ["storage/$bucket", () => import("./screens/storage/BucketDetail"), "BucketDetail"],
  ["storage/$bucket/table/$table", () => import("./screens/storage/TableDetail"), "TableDetail"],
  ["sql", () => import("./screens/sql/Sql"), "Sql"],
  ["flows", () => import("./screens/flows/Flows"), "Flows"],
  ["flows/$config", () => import("./screens/flows/FlowDetail"), "FlowDetail"],
  ["flows-v2/$config", () => import("./screens/flows/FlowDetail"), "FlowDetail"],
  ["automation", () => import("./screens/automation/Automation"), "Automation"],
  ["people", () => import("./screens/people/People"), "People"],
  ["usage", () => import("./screens/usage/Usage"), "Usage"],
  ["secrets", () => import("./screens/secrets/Secrets"), "Secrets"],
  ["$", () => import("./shared/Missing"), "Missing"],
  ["settings", () => import("./screens/settings/Settings"), "Settings"],
];

// Older forms of the same addresses, and what they lead to.
const MOVED: [string, string][] = [
  ["flows-v2", "flows"],
  ["transformations-v2", "components/configurations"],
  ["jobs", "queue"],
];
const MOVED_DETAILS = ["transformations-v2", "extractors", "writers", "applications"];

/** The same screens in the project and in each of its branches. */
const screensOf = (parent: typeof project | typeof inBranch) =>
  SCREENS.map(([path, load, name]) => createRoute({ getParentRoute: () => parent as typeof project, path, component: lazyRouteComponent(load, name) }));

const movedOf = (parent: typeof project | typeof inBranch) => [
  ...MOVED.map(([path, to]) => createRoute({ getParentRoute: () => parent as typeof project, path, beforeLoad: ({ params }) => leadTo(params, to) })),
  ...MOVED_DETAILS.map((path) =>
    createRoute({
      getParentRoute: () => parent as typeof project,
      path: `${path}/$component/$config`,
      beforeLoad: ({ params }) => {
        const { component = "", config = "" } = params as Record<string, string>;
        leadTo(params, `components/${encodeURIComponent(component)}/${encodeURIComponent(config)}`);
      },
    }),
  ),
];

function leadTo(params: object, path: string): never {
  const { project: id = "", branch } = params as Record<string, string>;
  const place = branch ? `${encodeURIComponent(id)}/branch/${encodeURIComponent(branch)}` : encodeURIComponent(id);
  throw redirect({ to: `/projects/${place}/${path}` as "/", replace: true });
}

const account = createRoute({ getParentRoute: () => root, path: "account", component: lazyRouteComponent(() => import("./screens/account/Account"), "Account") });
const home = createRoute({ getParentRoute: () => root, path: "/", component: Missing });

export const router = createRouter({
  routeTree: root.addChildren([home, account, project.addChildren([...screensOf(project), ...movedOf(project), inBranch.addChildren([...screensOf(inBranch), ...movedOf(inBranch)])])]),
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ""),
  defaultPreload: "intent",
  defaultNotFoundComponent: Missing,
  defaultErrorComponent: ({ error }) => <Failure error={error as Error} />,
});
