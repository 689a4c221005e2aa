// elizaOS loads plugins in the character's order, and each can rely on those before it: the database first, then
// text models, models that also embed, platforms, bootstrap's event handling, and ollama as the last resort.

/** The groups, in load order. */
const RANKS: readonly (readonly string[])[] = [
  ['sql'],
  ['anthropic', 'openrouter', 'groq'],
  ['openai', 'google-genai'],
  ['discord', 'telegram', 'twitter', 'farcaster'],
  ['bootstrap'],
  ['ollama'],
];
/** The group of all other plugins: after the models. */
const OTHERS = 3;

const nameOf = (plugin: string) => /^@elizaos\/plugin-(.+)$/.exec(plugin.trim())?.[1];
const rankOf = (plugin: string): number => {
  const name = nameOf(plugin);
  const rank = name === undefined ? -1 : RANKS.findIndex((group) => group.includes(name));
  return rank === -1 ? OTHERS : rank;
};

/** Returns the plugins in a working order. Those in the same group keep theirs. */
export const orderedPlugins = (plugins: readonly string[]): string[] =>
  [...plugins].sort((a, b) => rankOf(a) - rankOf(b));

/** Returns why the order is wrong or what is missing; null if nothing is. */
export function pluginFault(plugins: readonly string[]): string | null {
  const [first, second] = misplaced(plugins) ?? [];
  if (first !== undefined && second !== undefined) return `${first} must come after ${second}.`;
  const seen = new Set<string>();
  const duplicate = plugins.find((one) => seen.size === seen.add(one).size);
  return duplicate === undefined ? null : `${duplicate} is listed twice.`;
}

/** Returns the first plugin that precedes one of an earlier group, and that one. Linear: a file can list any number. */
function misplaced(plugins: readonly string[]): [string, string] | null {
  let lowest = Infinity;
  let at = -1;
  for (let index = plugins.length - 1; index >= 0; index -= 1) {
    const rank = rankOf(plugins[index] ?? '');
    if (lowest < rank) at = index;
    lowest = Math.min(lowest, rank);
  }
  const plugin = plugins[at];
  if (plugin === undefined) return null;
  const later = plugins.slice(at + 1).find((other) => rankOf(other) < rankOf(plugin));
  return later === undefined ? null : [plugin, later];
}

/** A model provider or client, with the agent's requirements for it. */
export interface Preset {
  id: string;
  name: string;
  plugin: string;
  /** Environment variables it needs. */
  variables: readonly { name: string; secret: boolean; what: string }[];
}

const secret = (name: string, what: string) => ({ name, secret: true, what });
const plain = (name: string, what: string) => ({ name, secret: false, what });

/** Preset for this platform's own models, which the OpenAI plugin calls. */
export const OWN_MODELS: Preset = {
  id: 'own',
  name: 'This platform’s models',
  plugin: '@elizaos/plugin-openai',
  variables: [
    secret('OPENAI_API_KEY', 'A Confidential AI key'),
    plain('OPENAI_BASE_URL', 'Gateway address'),
    plain('OPENAI_SMALL_MODEL', 'A model ID'),
    plain('OPENAI_LARGE_MODEL', 'A model ID'),
  ],
};

export const PROVIDERS: readonly Preset[] = [
  OWN_MODELS,
  {
    id: 'openai',
    name: 'OpenAI',
    plugin: '@elizaos/plugin-openai',
    variables: [secret('OPENAI_API_KEY', 'API key')],
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    plugin: '@elizaos/plugin-anthropic',
    variables: [secret('ANTHROPIC_API_KEY', 'API key')],
  },
  {
    id: 'google',
    name: 'Google Gemini',
    plugin: '@elizaos/plugin-google-genai',
    variables: [secret('GOOGLE_GENERATIVE_AI_API_KEY', 'API key')],
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    plugin: '@elizaos/plugin-openrouter',
    variables: [secret('OPENROUTER_API_KEY', 'API key')],
  },
  {
    id: 'ollama',
    name: 'Ollama',
    plugin: '@elizaos/plugin-ollama',
    variables: [plain('OLLAMA_API_ENDPOINT', 'Server address, including /api')],
  },
];

export const CLIENTS: readonly Preset[] = [
  {
    id: 'discord',
    name: 'Discord',
    plugin: '@elizaos/plugin-discord',
    variables: [plain('DISCORD_APPLICATION_ID', 'Application ID'), secret('DISCORD_API_TOKEN', 'Bot token')],
  },
  {
    id: 'telegram',
    name: 'Telegram',
    plugin: '@elizaos/plugin-telegram',
    variables: [secret('TELEGRAM_BOT_TOKEN', 'Bot token')],
  },
  {
    id: 'twitter',
    name: 'X',
    plugin: '@elizaos/plugin-twitter',
    variables: [
      secret('TWITTER_API_KEY', 'API key'),
      secret('TWITTER_API_SECRET_KEY', 'API secret'),
      secret('TWITTER_ACCESS_TOKEN', 'Access token'),
      secret('TWITTER_ACCESS_TOKEN_SECRET', 'Access token secret'),
    ],
  },
];

/** Returns the plugins with a preset's plugin added, in a working order. */
export const withPreset = (plugins: readonly string[], { plugin }: Preset): string[] =>
  orderedPlugins(plugins.includes(plugin) ? plugins : [...plugins, plugin]);

/** Returns the preset's variables that the agent lacks. */
export const missingVariables = (preset: Preset, names: readonly string[]): Preset['variables'] =>
  preset.variables.filter(({ name }) => !names.includes(name));
