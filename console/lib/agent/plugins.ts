// elizaOS loads plugins in the order of the character, and each can rely on those before it: the database first, then models
// for text, models that also embed, platforms, the event handling of bootstrap, and ollama as the last resort.

/** A group of the order, first to last. */
const RANKS: readonly (readonly string[])[] = [
  ['sql'],
  ['anthropic', 'openrouter', 'groq'],
  ['openai', 'google-genai'],
  ['discord', 'telegram', 'twitter', 'farcaster'],
  ['bootstrap'],
  ['ollama'],
];
/** Where others are free to stand: after the models. */
const OTHERS = 3;

const nameOf = (plugin: string) => /^@elizaos\/plugin-(.+)$/.exec(plugin.trim())?.[1];
const rankOf = (plugin: string): number => {
  const name = nameOf(plugin);
  const rank = name === undefined ? -1 : RANKS.findIndex((group) => group.includes(name));
  return rank === -1 ? OTHERS : rank;
};

/** Returns the plugins in an order that works. Those of the same group keep theirs. */
export const orderedPlugins = (plugins: readonly string[]): string[] =>
  [...plugins].sort((a, b) => rankOf(a) - rankOf(b));

/** Returns what is wrong with the order, or with what is missing; null if nothing is. */
export function pluginFault(plugins: readonly string[]): string | null {
  const [first, second] = misplaced(plugins) ?? [];
  if (first !== undefined && second !== undefined) return `${first} must come after ${second}.`;
  const duplicate = plugins.find((one, index) => plugins.indexOf(one) !== index);
  return duplicate === undefined ? null : `${duplicate} is listed twice.`;
}

/** The first plugin that has one of an earlier group behind it, and that one. */
function misplaced(plugins: readonly string[]): [string, string] | null {
  for (const [index, plugin] of plugins.entries()) {
    const later = plugins.slice(index + 1).find((other) => rankOf(other) < rankOf(plugin));
    if (later !== undefined) return [plugin, later];
  }
  return null;
}

/** A model provider or a client, with what the agent needs for it. */
export interface Preset {
  id: string;
  name: string;
  plugin: string;
  /** Environment variables that it needs. */
  variables: readonly { name: string; secret: boolean; what: string }[];
}

const secret = (name: string, what: string) => ({ name, secret: true, what });
const plain = (name: string, what: string) => ({ name, secret: false, what });

/** Of this platform's own models, which the OpenAI plugin talks to. */
export const OWN_MODELS: Preset = {
  id: 'own',
  name: 'Models of this platform',
  plugin: '@elizaos/plugin-openai',
  variables: [
    secret('OPENAI_API_KEY', 'A key of Confidential AI'),
    plain('OPENAI_BASE_URL', 'Address of the gateway'),
    plain('OPENAI_SMALL_MODEL', 'A model’s ID'),
    plain('OPENAI_LARGE_MODEL', 'A model’s ID'),
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
    variables: [plain('OLLAMA_API_ENDPOINT', 'Address of the server, with /api')],
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

/** Returns the plugins with that of a preset, in an order that works. */
export const withPreset = (plugins: readonly string[], { plugin }: Preset): string[] =>
  orderedPlugins(plugins.includes(plugin) ? plugins : [...plugins, plugin]);

/** Returns the variables of a preset that the agent doesn't have. */
export const missingVariables = (preset: Preset, names: readonly string[]): Preset['variables'] =>
  preset.variables.filter(({ name }) => !names.includes(name));
