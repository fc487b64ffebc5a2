// A link to a screen. It is a plain link for the browser: it can be copied and opened in another tab.
import { useRouter } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { BASE } from "./api/address";

export function ScreenLink({ to, onClick, ...rest }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const router = useRouter();
  function go(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const [path = "", query = ""] = to.split("?");
    void router.navigate({ to: path as "/", search: router.options.parseSearch(query) as never });
  }
  return <a href={BASE + to} onClick={go} {...rest} />;
}
