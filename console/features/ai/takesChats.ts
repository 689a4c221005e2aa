import type { AiModel } from '../../../generated/api/types.gen';

/** Whether a model answers the requests that the playground and the examples send. */
export const takesChats = ({ endpoints }: Pick<AiModel, 'endpoints'>): boolean =>
  endpoints.includes('chat.completions');
