// A choice on a screen that is kept in its address, so that a reload and a copied link show the same.
import { useLocation, useNavigate } from "@tanstack/react-router";

export function useAddress(name: string, usual = ""): [string, (value: string | null) => void] {
  const value = useLocation({ select: ({ search }) => String((search as Record<string, unknown>)[name] ?? usual) });
  const navigate = useNavigate();
  const set = (chosen: string | null): void => {
    const search = (before: Record<string, unknown>): Record<string, unknown> => ({ ...before, [name]: chosen && chosen !== usual ? chosen : undefined });
    void navigate({ to: ".", search: search as never, replace: true });
  };
  return [value, set];
}
