import { INPUTS, OUTPUTS, type ModalityFilter } from '../../lib/ai/modalities';

const TABS = ['playground', 'usage'] as const;
export type AiTab = (typeof TABS)[number];

export interface AiSearch {
  team: string | undefined;
  /** The connection-and-keys tab if absent. */
  tab: AiTab | undefined;
  /** The model preselected in the playground. */
  model: string | undefined;
}

export const aiSearch = (search: Record<string, unknown>): AiSearch => ({
  team: textOf(search.team),
  tab: TABS.find((one) => one === search.tab),
  model: textOf(search.model),
});

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

interface ModelsSearch extends ModalityFilter {
  team: string | undefined;
}

export const modelsSearch = (search: Record<string, unknown>): ModelsSearch => ({
  team: textOf(search.team),
  reads: INPUTS.find(({ value }) => value === search.reads)?.value,
  writes: OUTPUTS.find(({ value }) => value === search.writes)?.value,
});
