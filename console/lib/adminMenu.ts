/** A line of the admin area's menu, as the generated file has them. */
export interface AdminMenuEntry {
  readonly group: string;
  readonly label: string;
  /** `{chat_bot_service}` stands for what this server's chat bot is called after. */
  readonly href: string;
  /** Who lacks it does not see the entry. */
  readonly permission: string;
}

export interface AdminMenuSection {
  label?: string;
  items: { label: string; href: string; current: boolean }[];
}

interface MenuReader {
  platform_permissions: readonly string[];
  environment: { chat_bot_service: string };
}

/** The menu as this person sees it, in both frames that show it: the admin area's, and that of a CVM's pages below it. */
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
  const item = ({ label, href }: { label: string; href: string }) => ({
    label,
    href,
    current: href === current,
  });
  return [
    { items: [item({ label: 'Overview', href: '/admin' })] },
    ...[...new Set(shown.map(({ group }) => group))].map((label) => ({
      label,
      items: shown.filter(({ group }) => group === label).map(item),
    })),
  ];
}
