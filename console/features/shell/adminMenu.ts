import { adminMenuPages, adminMenuResources } from '../../../generated/api/adminMenu.gen';
import type { NavSection } from '../../ui/layout/frameData';

/** The menu of the admin area, as the admin area itself shows it to who has these permissions. */
export function adminSections(permissions: readonly string[], current: string): NavSection[] {
  const lists = adminMenuResources.filter(({ permission }) => permissions.includes(permission));
  const pages = adminMenuPages.filter(({ permission }) => permissions.includes(permission));
  const groups = [...new Set([...lists, ...pages].map(({ group }) => group))];
  return [
    { items: [{ label: 'Overview', href: '/admin', current: false }] },
    ...groups.map((label) => ({
      label,
      items: [...pages, ...lists]
        .filter(({ group }) => group === label)
        .map((entry) => ({ label: entry.label, href: entry.href, current: entry.href === current })),
    })),
  ];
}
