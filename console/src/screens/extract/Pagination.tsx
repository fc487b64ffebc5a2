import { Alert, Text } from "@mantine/core";
import type { Trial } from "./actions";

const TITLES = { yes: "Page 2 is another page", no: "Page 2 is not the next page", none: "There is no page 2" };

/** Whether the second page differs from the first, with what was seen. */
export function Pagination({ trial }: { trial: Trial }) {
  const { isNext, evidence } = trial.pagination;
  const [title, color] = isNext ? [TITLES.yes, "teal"] : isNext === false ? [TITLES.no, "red"] : [TITLES.none, "gray"];
  return (
    <div role="status" aria-label="Pagination">
      <Alert variant="light" color={color} title={title} role="note">
        <Text size="sm" className="wrap" c="var(--mantine-color-text)">{evidence}{isNext === false ? " Change the settings of the pagination, and try again." : ""}</Text>
      </Alert>
    </div>
  );
}
