/** An entry of the admin area's generated menu. */
export interface AdminMenuEntry {
  readonly group: string;
  readonly label: string;
  /** `{chat_bot_service}` stands for the configured chat service's name. */
  readonly href: string;
  /** Address of the parent entry. */
  readonly parent?: string;
  /** Hidden from users without it. */
  readonly permission: string;
}

export interface AdminMenuSection {
  label?: string;
  items: { label: string; href: string; current: boolean; parent?: string }[];
}

interface MenuReader {
  platform_permissions: readonly string[];
  environment: { chat_bot_service: string };
}

/** Returns the menu entries that this administrator may open. Shared by the admin area and its CVM pages. */
export function adminMenuOf(
  entries: readonly AdminMenuEntry[],
  { platform_permissions, environment }: MenuReader,
  current: string,
): AdminMenuSection[] {
  const shown = entries
    .filter(({ permission }) => platform_permissions.includes(permission))
    .map((entry) => ({
      ...entry,
      href: entry.href.replace('{chat_bot_service}', environment.chat_bot_service),
    }));
  const item = ({ label, href, parent }: { label: string; href: string; parent?: string }) => ({
    label,
    href,
    current: href === current,
    // Without permission for its parent, an entry becomes top-level.
    ...(parent !== undefined && shown.some((entry) => entry.href === parent) ? { parent } : {}),
  });
  return [
    { items: [item({ label: 'Overview', href: '/admin' })] },
    ...[...new Set(shown.map(({ group }) => group))].map((label) => ({
      label,
      items: shown.filter(({ group }) => group === label).map(item),
    })),
  ];
}
