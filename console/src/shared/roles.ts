import type { Role } from "./api/types";

export const ROLE_NAMES: Record<Role, string> = { admin: "administrator", share: "shares data", readOnly: "reads everything", guest: "guest" };

export const ROLES: { value: Role; label: string }[] = [
  { value: "admin", label: "Administrator: everything" },
  { value: "share", label: "Share: everything, and shares buckets" },
  { value: "readOnly", label: "Read only: reads what administrators read" },
  { value: "guest", label: "Guest: reads data, configurations and jobs" },
];
