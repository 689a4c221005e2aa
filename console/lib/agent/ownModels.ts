import type { AiModel } from '../../../generated/api/types.gen';

type Offered = Pick<AiModel, 'id' | 'endpoints' | 'is_built_in' | 'is_served_here'>;

/** Returns the models of this server's gateway that an agent can talk with, the built-in one last. */
export const agentModels = <M extends Offered>(models: readonly M[]): M[] =>
  models
    .filter(({ endpoints, is_served_here }) => is_served_here && endpoints.includes('chat.completions'))
    .sort((a, b) => Number(a.is_built_in) - Number(b.is_built_in));

/** How an agent uses this platform's models: its variables, without the key, and the models that the key needs. */
export interface OwnModels {
  variables: Record<string, string>;
  models: string[];
}

/**
 * Returns how an agent uses a model of this gateway. The agent embeds its memories with another model if the
 * gateway has one. The built-in model isn't one: its vectors are shorter than the framework accepts.
 */
export function ownModels(
  gateway: { base_url: string; models: readonly Offered[] },
  model: string,
): OwnModels {
  const embedding = gateway.models.find(
    ({ endpoints, is_built_in, is_served_here }) =>
      is_served_here && !is_built_in && endpoints.includes('embeddings'),
  )?.id;
  return {
    variables: {
      OPENAI_BASE_URL: gateway.base_url,
      OPENAI_SMALL_MODEL: model,
      OPENAI_LARGE_MODEL: model,
      ...(embedding === undefined ? {} : { OPENAI_EMBEDDING_MODEL: embedding }),
    },
    models: [...new Set([model, ...(embedding === undefined ? [] : [embedding])])],
  };
}

/** Whether only this computer can use the address, so that a CVM on another one can't. */
export const isLocalAddress = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
