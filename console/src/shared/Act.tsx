// A button that changes something. Who may not do that sees it disabled, with the reason.
import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import { type Need, useRefusal } from "./rights";

type Props = ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> & {
  /** What it needs, if that is not what its part of the screen needs. */
  needs?: Need;
};

export function Act({ needs, ...props }: Props) {
  const refusal = useRefusal(needs);
  if (!refusal) return <Button {...props} />;
  return (
    <Tooltip label={refusal}>
      <Button {...props} type="button" loading={false} data-disabled aria-disabled title={refusal} onClick={(event) => event.preventDefault()} />
    </Tooltip>
  );
}
