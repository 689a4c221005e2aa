/** Addresses of the pages about AI, for the pages that lead there. */

export interface AiAddress {
  team?: string | undefined;
  /** Connection and keys if absent. */
  tab?: 'playground' | 'usage' | undefined;
  /** Preselected in the playground. */
  model?: string | undefined;
}

export const aiHref = (search: AiAddress): string => withQuery('/dashboard/confidential-ai-api', search);
export const modelsHref = (search: Pick<AiAddress, 'team'>): string =>
  withQuery('/dashboard/confidential-ai-models', search);

function withQuery(path: string, search: AiAddress): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}
