// The elizaOS character file, the format shared by this family of agents: an agent's name, style and knowledge
// (elizaOS "Character Interface", 1.x and 2.x, with the differences in 0.x).

import { z } from 'zod';
import { nestingOf } from '../mcp/nesting';
import { pluginFault } from './plugins';

const text = z.string('Write text in quotes.');
const lines = z.array(text, 'Write a list: ["…", "…"].');
const plain = z.union([z.string(), z.number(), z.boolean()], 'Text, a number, true or false.');

/** 0.x calls the speaker `user`. */
const message = z
  .looseObject({
    name: text.optional(),
    user: text.optional(),
    content: z.looseObject({ text: text.optional() }, 'Write {"text": "…"}.'),
  })
  .refine(({ name, user }) => name !== undefined || user !== undefined, 'Name the speaker: "name".');

const conversation = z.array(message, 'A conversation is a list of messages.');

/** Fields added in 2.x; 1.x rejects them. */
const newer = {
  advancedPlanning: z.boolean('true or false.').optional(),
  advancedMemory: z.boolean('true or false.').optional(),
};

const known = {
  id: z.uuid('Use a UUID, or omit it.').optional(),
  name: z.string('An agent needs a name.').min(1, 'An agent needs a name.'),
  username: text.optional(),
  system: text.optional(),
  templates: z.record(z.string(), text).optional(),
  bio: z.union([z.string(), lines], 'Write a string or a list of strings.'),
  /** 2.x groups the messages of a conversation. */
  messageExamples: z
    .array(
      z.union(
        [conversation, z.looseObject({ examples: conversation })],
        'A conversation is a list of messages, or {"examples": […]}.',
      ),
    )
    .optional(),
  postExamples: lines.optional(),
  topics: lines.optional(),
  adjectives: lines.optional(),
  knowledge: z
    .array(
      z.union(
        [z.string(), z.looseObject({ path: z.string() }), z.looseObject({ directory: z.string() })],
        'A path, or {"path": …} or {"directory": …}.',
      ),
    )
    .optional(),
  plugins: z.array(text, 'Write a list of package names.').optional(),
  settings: z.record(z.string(), z.unknown(), 'Write {"name": value}.').optional(),
  secrets: z.record(z.string(), plain).optional(),
  style: z.looseObject({ all: lines.optional(), chat: lines.optional(), post: lines.optional() }).optional(),
  ...newer,
};
const schema = z.looseObject(known, 'A character is a JSON object: { … }.');
const withoutName = z.looseObject({ ...known, name: z.literal('') });

/** Fields of 0.x that 1.x rejects. */
const OLDER = new Set([
  'lore',
  'modelProvider',
  'clients',
  'people',
  'clientConfig',
  'modelEndpointOverride',
]);

export type Character = z.infer<typeof schema>;
export type Message = z.infer<typeof message>;
type Conversation = NonNullable<Character['messageExamples']>[number];

/** Returns the messages of a conversation of either generation. */
export const messagesOf = (one: Conversation): Message[] => (Array.isArray(one) ? one : one.examples);

/** Returns a conversation with different messages, in its original form. */
export const withMessages = (one: Conversation, messages: Message[]): Conversation =>
  Array.isArray(one) ? messages : { ...one, examples: messages };

/** Returns a message in the form of `like`: 0.x calls the speaker `user`. */
export const newMessage = (name: string, like: Message | undefined): Message =>
  like?.user === undefined ? { name, content: { text: '' } } : { user: name, content: { text: '' } };

interface CharacterFault {
  /** Dotted path as in code; empty for the whole document. */
  path: string;
  message: string;
}

export type CharacterReading =
  | {
      ok: true;
      character: Character;
      /** Valid, but probably unintended. */
      notes: string[];
    }
  | {
      ok: false;
      faults: CharacterFault[];
      /** Set if only the name is empty, as while it is being retyped. */
      unnamed?: Character;
    };

/** Maximum JSON nesting; writing deeper values can fail. */
const MAX_NESTING = 1_000;

/** Never throws. Keeps unknown fields, because a plugin may read them. */
export function readCharacter(json: string): CharacterReading {
  if (nestingOf(json) > MAX_NESTING)
    return { ok: false, faults: [{ path: '', message: `It is nested deeper than ${MAX_NESTING} levels.` }] };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { ok: false, faults: [{ path: '', message: syntaxFault(json, error) }] };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, character: parsed.data, notes: notesOn(parsed.data) };
  const unnamed = withoutName.safeParse(value);
  return {
    ok: false,
    ...(unnamed.success ? { unnamed: unnamed.data } : {}),
    faults: parsed.error.issues.slice(0, 20).map(({ path, message: said }) => ({
      path: path.map(String).join('.'),
      message: said,
    })),
  };
}

export const writeCharacter = (character: Character): string => `${JSON.stringify(character, null, 2)}\n`;

function notesOn(character: Character): string[] {
  const notes: string[] = [];
  const strange = Object.keys(character).filter((key) => !Object.hasOwn(known, key));
  const older = strange.filter((key) => OLDER.has(key));
  const others = strange.filter((key) => !OLDER.has(key));
  if (older.length > 0)
    notes.push(`${older.join(', ')}: from the format before 1.0; elizaOS 1.x rejects it.`);
  if (others.length > 0)
    notes.push(`${others.join(', ')}: not part of the format; elizaOS 1.x rejects the file.`);
  const fault = pluginFault(character.plugins ?? []);
  if (fault !== null) notes.push(`Plugins: ${fault}`);
  const grouped = (character.messageExamples ?? []).filter((one) => !Array.isArray(one)).length;
  const added = Object.keys(newer).filter((key) => Object.hasOwn(character, key));
  if (grouped > 0 || added.length > 0)
    notes.push(
      `${[...(grouped > 0 ? ['grouped messageExamples'] : []), ...added].join(', ')}: elizaOS 1.x rejects it; 2.x accepts it.`,
    );
  if ((grouped > 0 || added.length > 0) && typeof character.bio === 'string')
    notes.push('bio: elizaOS 2.x accepts only a list.');
  const inner = character.settings?.secrets;
  const hidden = [
    ...Object.keys(character.secrets ?? {}),
    ...(typeof inner === 'object' && inner !== null ? Object.keys(inner) : []),
  ];
  if (hidden.length > 0)
    notes.push(
      `${hidden.join(', ')}: anyone with access to the Compose file can read these values. Use the CVM’s secrets instead.`,
    );
  return notes;
}

function syntaxFault(json: string, error: unknown): string {
  if (json.trim() === '') return 'No character yet.';
  const said = error instanceof Error ? error.message : '';
  const at = /position (\d+)/.exec(said)?.[1];
  if (at === undefined) return 'This is not JSON: it ends too early, or a comma or quote is missing.';
  const before = json.slice(0, Number(at));
  return `This is not JSON: line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')}.`;
}

/** A starter character. */
export const newCharacter = (name: string): Character => ({
  name,
  bio: [`${name} is a helpful assistant.`],
  system: `You are ${name}. Answer in short, plain sentences.`,
  topics: [],
  adjectives: ['helpful', 'exact'],
  style: { all: ['Be brief.', 'Say so when you don’t know.'], chat: [], post: [] },
  plugins: ['@elizaos/plugin-sql', '@elizaos/plugin-openai', '@elizaos/plugin-bootstrap'],
  settings: {},
});
