const TABS = ['playground', 'usage'] as const;
export type AiTab = (typeof TABS)[number];

export interface AiSearch {
  team: string | undefined;
  /** Connection and keys if absent. */
  tab: AiTab | undefined;
  /** Preselected in the playground. */
  model: string | undefined;
}

export const aiSearch = (search: Record<string, unknown>): AiSearch => ({
  team: textOf(search.team),
  tab: TABS.find((one) => one === search.tab),
  model: textOf(search.model),
});

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export const modelsSearch = (search: Record<string, unknown>): Pick<AiSearch, 'team'> => ({
  team: textOf(search.team),
});

export const aiHref = (search: Partial<AiSearch>) => withQuery('/dashboard/confidential-ai-api', search);
export const modelsHref = (search: Pick<AiSearch, 'team'>) =>
  withQuery('/dashboard/confidential-ai-models', search);

function withQuery(path: string, search: Partial<AiSearch>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, value);
  const text = query.toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}
