/** Addresses of the AI pages, for pages that link there. */

import type { ModalityFilter } from './modalities';

export interface AiAddress {
  team?: string | undefined;
  /** The connection-and-keys tab if absent. */
  tab?: 'playground' | 'usage' | undefined;
  /** The model preselected in the playground. */
  model?: string | undefined;
}

export const aiHref = (search: AiAddress): string => withQuery('/dashboard/confidential-ai-api', search);
export const modelsHref = (search: Pick<AiAddress, 'team'> & ModalityFilter): string =>
  withQuery('/dashboard/confidential-ai-models', search);

function withQuery(path: string, search: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}
