// Before anybody has signed in, every address shows the sign-in; then what it names, or why that is not shown.
import { Center } from "@mantine/core";
import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { openProject, shownProject } from "../../shared/api/address";
import { useMe, useProject } from "../../shared/api/hooks";
import { isTemporary, pauseAfter } from "../../shared/api/reach";
import { findSession, useSession } from "../../shared/api/session";
import { Failure, Waiting } from "../../shared/parts";
import { NoProject, NotMember, Unusable } from "./Projects";
import { SignIn } from "./SignIn";

export const ACCOUNT = "/account";

export function Entry() {
  const session = useSession();
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (session === "unknown") findSession().then(() => setError(null), setError);
  }, [session, attempt]);
  useEffect(() => {
    if (!isTemporary(error)) return;
    const timer = setTimeout(() => setAttempt(attempt + 1), pauseAfter(attempt + 1));
    return () => clearTimeout(timer);
  }, [error]); // eslint-disable-line
  if (session === "nobody") return <SignIn />;
  if (session === "token") return <WithToken />;
  return session === "person" ? <WithPerson /> : <Center mih="60vh">{error ? <Failure error={error} onRetry={() => setAttempt(attempt + 1)} /> : <Waiting />}</Center>;
}

function WithToken() {
  const project = useProject();
  if (project.data) return <Outlet />;
  return <Center mih="60vh">{project.error ? <Failure error={project.error} onRetry={project.refetch} /> : <Waiting />}</Center>;
}

function WithPerson() {
  const me = useMe();
  const path = useLocation({ select: (location) => location.pathname });
  if (!me.data) return <Center mih="60vh">{me.error ? <Failure error={me.error} onRetry={me.refetch} /> : <Waiting />}</Center>;
  if (path.endsWith(ACCOUNT) && !shownProject()) return <Outlet />;
  const wanted = shownProject();
  const [first] = me.data.projects;
  if (!wanted) return first ? <Open project={first.id} /> : <NoProject me={me.data} />;
  if (!me.data.projects.some((each) => String(each.id) === wanted)) return <NotMember me={me.data} wanted={wanted} />;
  return <InProject />;
}

function Open({ project }: { project: number }) {
  useEffect(() => openProject(project), [project]);
  return <Center mih="60vh"><Waiting /></Center>;
}

function InProject() {
  const me = useMe();
  const project = useProject();
  if (project.data) return <Outlet />;
  if (project.error && me.data) return <Unusable me={me.data} error={project.error} />;
  return <Center mih="60vh"><Waiting /></Center>;
}
