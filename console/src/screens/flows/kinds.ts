import { enc } from "../../shared/api/hooks";

/** The components whose configurations are flows. */
export const KINDS: Record<string, string> = { "keboola.flow": "conditional", "keboola.orchestrator": "phases" };
const PATHS: Record<string, string> = { "keboola.flow": "flows-v2", "keboola.orchestrator": "flows" };

export const flowPath = (component: string, config: string): string => `${PATHS[component]}/${enc(config)}`;
