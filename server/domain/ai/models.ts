import type { AiModel } from '../../../generated/api/types.gen';
import type { Modalities } from './modalities';

/** Micro-dollars per million tokens. */
export interface TokenPrices {
  input: number;
  cached_input: number;
  output: number;
}

export interface ServedModel extends Modalities {
  /** `model` of a request. */
  id: string;
  name: string;
  description: string;
  /** Tokens, input and output together. */
  context_length: number;
  endpoints: Readonly<AiModel['endpoints']>;
  prices: TokenPrices;
  is_built_in: boolean;
  is_in_tee: boolean;
  /** The only team whose keys can use it; null for a model of every team. */
  team_id: number | null;
  created_at: Date;
}

/** The model included with the server, so that the API can be tried without a GPU. */
export const ECHO: ServedModel = {
  id: 'teehouse/echo',
  name: 'Echo',
  description: 'Repeats the last message. For trying the API; not a language model.',
  context_length: 8192,
  endpoints: ['chat.completions', 'completions', 'embeddings'],
  input_modalities: ['text'],
  output_modalities: ['text', 'embeddings'],
  prices: { input: 0, cached_input: 0, output: 0 },
  is_built_in: true,
  is_in_tee: false,
  team_id: null,
  created_at: new Date('2026-11-25T00:00:00Z'),
};
