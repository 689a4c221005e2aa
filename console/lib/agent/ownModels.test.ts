import { describe, expect, it } from 'vitest';
import { agentModels, isLocalAddress, ownModels } from './ownModels';

const model = (id: string, change: object = {}) => ({
  id,
  endpoints: ['chat.completions' as const],
  is_built_in: false,
  is_served_here: true,
  ...change,
});
const ECHO = model('teehouse/echo', { is_built_in: true, endpoints: ['chat.completions', 'embeddings'] });
const VECTORS = model('acme/vectors', { endpoints: ['embeddings'] });
const base_url = 'https://cloud.example.com/v1';

describe('an agent on this platform’s models', () => {
  it('can use those that this gateway serves for chats, the built-in one last', () => {
    const offered = [ECHO, VECTORS, model('acme/far', { is_served_here: false }), model('acme/chat')];
    expect(agentModels(offered).map(({ id }) => id)).toEqual(['acme/chat', 'teehouse/echo']);
  });

  it('has its address and model, and a key for no other models', () => {
    expect(ownModels({ base_url, models: [ECHO] }, ECHO.id)).toEqual({
      variables: {
        OPENAI_BASE_URL: base_url,
        OPENAI_SMALL_MODEL: 'teehouse/echo',
        OPENAI_LARGE_MODEL: 'teehouse/echo',
      },
      models: ['teehouse/echo'],
    });
  });

  it('embeds with a model for embeddings, if there is one', () => {
    const { variables, models } = ownModels({ base_url, models: [ECHO, VECTORS] }, ECHO.id);
    expect(variables.OPENAI_EMBEDDING_MODEL).toBe('acme/vectors');
    expect(models).toEqual(['teehouse/echo', 'acme/vectors']);
    const both = model('acme/both', { endpoints: ['chat.completions', 'embeddings'] });
    expect(ownModels({ base_url, models: [both] }, both.id).models).toEqual(['acme/both']);
  });

  it('can’t reach an address of this computer from another one', () => {
    expect(
      ['http://localhost:3000/v1', 'http://127.0.0.1:3000/v1', 'http://[::1]:3000/v1'].every(isLocalAddress),
    ).toBe(true);
    expect(isLocalAddress(base_url)).toBe(false);
  });
});
