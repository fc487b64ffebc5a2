// The tokens that were entered, by the way that they are sent. They are gone with the page.
import { makeStore } from "../shared/store";

const tokens = makeStore<Record<string, string>>({});

export function useToken(key: string): [string, (token: string) => void] {
  const all = tokens.use();
  return [all[key] ?? "", (value) => tokens.set({ ...tokens.get(), [key]: value.trim() })];
}
