// Where the page is: the address of the connection host, and the project that the page shows.
export const BASE = new URL(document.baseURI).pathname.replace(/\/$/, "");
export const STORAGE_URL = new URL("..", document.baseURI).href.replace(/\/$/, "");

/** The project in the address; empty at addresses that are of no project. */
export const shownProject = (): string => /^\/projects\/([^/]+)/.exec(location.pathname.slice(BASE.length))?.[1] ?? "";

/** Another project is another document, so that nothing of the one before is left in memory. */
export const openProject = (id: number): void => location.replace(`${BASE}/projects/${id}`);
