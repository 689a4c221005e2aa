import { describe, expect, it } from 'vitest';
import { newCharacter } from './character';
import {
  CLIENTS,
  missingVariables,
  orderedPlugins,
  OWN_MODELS,
  pluginFault,
  PROVIDERS,
  withPreset,
} from './plugins';

const p = (...names: string[]) => names.map((name) => `@elizaos/plugin-${name}`);

describe('the order of plugins', () => {
  it('is database, text, embeddings, platforms, bootstrap, ollama', () => {
    const wrong = p('ollama', 'bootstrap', 'discord', 'openai', 'anthropic', 'sql');
    expect(orderedPlugins(wrong)).toEqual(p('sql', 'anthropic', 'openai', 'discord', 'bootstrap', 'ollama'));
    expect(pluginFault(orderedPlugins(wrong))).toBeNull();
    expect(pluginFault(p('sql', 'bootstrap', 'openai'))).toBe(
      '@elizaos/plugin-bootstrap must come after @elizaos/plugin-openai.',
    );
  });

  it('leaves other plugins in place if their group allows it', () => {
    expect(orderedPlugins([...p('bootstrap'), 'mine', 'yours', ...p('sql')])).toEqual([
      ...p('sql'),
      'mine',
      'yours',
      ...p('bootstrap'),
    ]);
  });

  it('reports duplicates', () => {
    expect(pluginFault(p('sql', 'openai', 'openai'))).toBe('@elizaos/plugin-openai is listed twice.');
  });

  it('names the first one in the wrong place, in any number of them', () => {
    expect(pluginFault([...p('sql', 'ollama', 'bootstrap', 'discord'), 'mine', ...p('openai')])).toBe(
      '@elizaos/plugin-ollama must come after @elizaos/plugin-bootstrap.',
    );
    const many = Array.from({ length: 20_000 }, (_, i) => `plugin-${i}`);
    expect(pluginFault(many)).toBeNull();
    expect(pluginFault([...many, 'plugin-7'])).toBe('plugin-7 is listed twice.');
  }, 10_000);

  it('is correct in a new character', () => {
    expect(pluginFault(newCharacter('Ada').plugins ?? [])).toBeNull();
  });
});

describe('presets', () => {
  it('add their plugin once, in the right position', () => {
    const discord = CLIENTS.find(({ id }) => id === 'discord')!;
    const once = withPreset(p('sql', 'openai', 'bootstrap'), discord);
    expect(once).toEqual(p('sql', 'openai', 'discord', 'bootstrap'));
    expect(withPreset(once, discord)).toEqual(once);
  });

  it('list what the agent still needs', () => {
    expect(missingVariables(OWN_MODELS, ['OPENAI_API_KEY']).map(({ name }) => name)).toEqual([
      'OPENAI_BASE_URL',
      'OPENAI_SMALL_MODEL',
      'OPENAI_LARGE_MODEL',
    ]);
  });

  it('offer this platform’s models first', () => {
    expect(PROVIDERS[0]).toBe(OWN_MODELS);
  });
});
