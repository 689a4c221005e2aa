const TABS = ['playground', 'usage'] as const;
export type AiTab = (typeof TABS)[number];

export interface AiSearch {
  team: string | undefined;
  /** Connection and keys if absent. */
  tab: AiTab | undefined;
}

export const aiSearch = (search: Record<string, unknown>): AiSearch => ({
  team: typeof search.team === 'string' && search.team !== '' ? search.team : undefined,
  tab: TABS.find((one) => one === search.tab),
});

export function aiHref({ team, tab }: AiSearch): string {
  const query = new URLSearchParams();
  if (team !== undefined) query.set('team', team);
  if (tab !== undefined) query.set('tab', tab);
  const text = query.toString();
  return `/dashboard/confidential-ai-api${text === '' ? '' : `?${text}`}`;
}
