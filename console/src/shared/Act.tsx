// A button that changes something. Who may not do that sees it disabled, with the reason.
import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import { useRefusal } from "./api/hooks";

type Props = ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> & {
  /** It runs a job, which some tokens may do that change nothing else. */
  runs?: boolean;
};

export function Act({ runs = false, ...props }: Props) {
  const refusal = useRefusal(runs);
  if (!refusal) return <Button {...props} />;
  return (
    <Tooltip label={refusal}>
      <Button {...props} type="button" data-disabled aria-disabled title={refusal} onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
