// The names of configurations and components. The id is shown where there is none: of what was deleted.
import { useMemo } from "react";
import { useConfigured } from "./api/hooks";
import type { Component } from "./api/types";

export interface Names {
  component: (id: string) => string;
  config: (component: string, id: string) => string;
}

export function useNames(): Names {
  const { data } = useConfigured();
  return useMemo(() => toNames(data ?? []), [data]);
}

export function toNames(components: Component[]): Names {
  const named = new Map<string, string>();
  for (const component of components) {
    named.set(component.id, component.name);
    for (const config of component.configurations ?? []) named.set(`${component.id}/${config.id}`, config.name);
  }
  return { component: (id) => named.get(id) || id, config: (component, id) => named.get(`${component}/${id}`) || id };
}
