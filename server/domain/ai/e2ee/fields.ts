import { ownValue } from '../../../../console/lib/ownValue';
import { jsonExcess } from '../../core/jsonDepth';
import { MAX_MODEL_NAME, type Endpoint } from '../modelRequest';
import { invalidRequest, parseRequest } from '../requestBody';
import { AiError } from '../aiError';
import { e2eeError, requestAad, responseAad, type Channel } from './channel';
import { isMalformed, isSealed, openField, sealField } from './suites';

/** Which fields of requests and answers E2EE v2 encrypts (§5). */

type Json = Record<string, unknown>;

/** Encrypted values of a request, and texts to embed: each costs a key agreement, up to a millisecond of a core. */
const MAX_FIELDS = 128;
/** The same for a whole answer: up to 128 choices with three texts each. */
const MAX_SEALED = 512;
/** Members whose answers have parts that version 2 can't represent. */
const UNPROTECTED = ['tools', 'functions', 'logprobs', 'top_logprobs'];

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lets other requests run between two values. */
const otherTurns = () => new Promise<void>((resolve) => void setImmediate(resolve));

/**
 * Decrypts a request. @returns its body as compact JSON, which the receipt covers, and its model
 * @throws {AiError} 400
 */
export async function openRequest(
  channel: Channel,
  endpoint: Endpoint,
  body: Buffer,
): Promise<{ body: Buffer; model: string }> {
  if (endpoint === 'responses')
    throw e2eeError('e2ee_unsupported_endpoint', 'E2EE version 2 is not defined for POST /v1/responses.');
  const given = parseRequest(body);
  // It is part of what each value is bound to.
  if (!isRecord(given) || typeof given.model !== 'string' || given.model.length > MAX_MODEL_NAME)
    throw e2eeError(
      'e2ee_invalid_payload_model',
      `The body needs a member model that is a string of up to ${MAX_MODEL_NAME} characters.`,
      'model',
    );
  for (const name of UNPROTECTED)
    if (![undefined, null, false].includes(ownValue(given, name) as undefined))
      throw invalidRequest('E2EE version 2 can’t encrypt the output this adds. Leave it out.', name);
  const model = given.model;
  const { input } = given;
  if (Array.isArray(input) && typeof input[0] !== 'number' && input.length > MAX_FIELDS)
    throw invalidRequest(`An encrypted request embeds up to ${MAX_FIELDS} texts.`, 'input');
  const sealed = sealedFields(channel, endpoint, given);
  if (sealed.size === 0)
    throw e2eeError('e2ee_decryption_failed', 'The request has E2EE headers but no encrypted value.');
  const texts = new Map<string, string>();
  for (const [field, hex] of sealed) {
    try {
      const aad = requestAad(channel, { model, field });
      texts.set(field, openField(channel.key.suite, channel.key.pair, hex, aad));
    } catch {
      throw e2eeError('e2ee_decryption_failed', `${field} could not be decrypted.`, field);
    }
    await otherTurns();
  }
  const opened = openMembers(endpoint, given, (text, field) => texts.get(field) ?? text);
  return { body: Buffer.from(JSON.stringify({ ...given, ...opened })), model };
}

/** Returns the encrypted values of a request by their place. @throws {AiError} 400 for too many, or one that is malformed */
function sealedFields({ key }: Channel, endpoint: Endpoint, given: Json): Map<string, string> {
  const found = new Map<string, string>();
  openMembers(endpoint, given, (text, field) => {
    if (typeof text !== 'string') return text;
    if (isSealed(key.suite, text)) found.set(field, text);
    else if (isMalformed(text))
      throw e2eeError(
        'e2ee_decryption_failed',
        `${field} looks like an encrypted value but is malformed. Send the hexadecimal digits of the public key, IV, ciphertext and tag, and nothing else.`,
        field,
      );
    if (found.size > MAX_FIELDS)
      throw e2eeError(
        'e2ee_decryption_failed',
        `A request has up to ${MAX_FIELDS} encrypted values. Encrypt whole contents instead of parts.`,
      );
    return text;
  });
  return found;
}

type Open = (text: unknown, field: string) => unknown;

function openMembers(endpoint: Endpoint, given: Json, open: Open): Json {
  const list = (name: string) => {
    const value = ownValue(given, name);
    return {
      [name]: Array.isArray(value) ? value.map((one, i) => open(one, `${name}.${i}`)) : open(value, name),
    };
  };
  if (endpoint === 'completions') return list('prompt');
  if (endpoint === 'embeddings') return list('input');
  if (!Array.isArray(given.messages)) return {};
  return {
    messages: given.messages.map((message: unknown, m) =>
      isRecord(message) && message.content !== undefined
        ? { ...message, content: openContent(message.content, `messages.${m}.content`, open) }
        : message,
    ),
  };
}

function openContent(content: unknown, field: string, open: Open): unknown {
  if (Array.isArray(content)) return content.map((part, c) => openPart(part, `${field}.${c}`, open));
  const opened = open(content, field);
  if (opened === content || typeof opened !== 'string') return opened;
  return structured(opened) ?? opened;
}

/** Many times what the parts of one content consist of. */
const MAX_STRUCTURED = { values: 20_000, objects: 10_000 };

/** Content of several parts is encrypted as the JSON of its array. */
function structured(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[') || jsonExcess(Buffer.from(text), MAX_STRUCTURED)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function openPart(part: unknown, field: string, open: Open): unknown {
  if (!isRecord(part)) return part;
  const { image_url, input_audio } = part;
  return {
    ...part,
    ...(part.text === undefined ? {} : { text: open(part.text, `${field}.text`) }),
    ...(isRecord(image_url)
      ? { image_url: { ...image_url, url: open(image_url.url, `${field}.image_url.url`) } }
      : {}),
    ...(isRecord(input_audio)
      ? { input_audio: { ...input_audio, data: open(input_audio.data, `${field}.input_audio.data`) } }
      : {}),
  };
}

/**
 * Members of an answer, a choice and an embedding that reveal nothing of the prompt or the answer. Others are
 * omitted.
 */
const ANSWER_MEMBERS = ['id', 'object', 'created', 'model', 'usage', 'system_fingerprint', 'service_tier'];
const CHOICE_MEMBERS = ['index', 'finish_reason'];
const ENTRY_MEMBERS = ['index', 'object'];
/** Members of a message or of a part of it that version 2 encrypts. */
const CONTENT = ['content', 'reasoning', 'reasoning_content'];

/**
 * Encrypts generated content, in a whole answer or in one piece of a stream.
 * @throws {AiError} 502 if the answer has content that version 2 can't encrypt, which must not be sent in clear
 * text
 */
export function sealAnswer(channel: Channel, model: string, answer: unknown): unknown {
  if (!isRecord(answer)) throw unsealable();
  const id = typeof answer.id === 'string' ? answer.id : '';
  let count = 0;
  const seal: Seal = (text, field) => {
    if (++count > MAX_SEALED) throw unsealable();
    return sealField(channel.key.suite, channel.client_key, text, responseAad(channel, { model, id, field }));
  };
  const each = (name: 'choices' | 'data', change: (entry: Json, at: string) => Json) => {
    const entries = answer[name];
    if (!Array.isArray(entries)) return {};
    return {
      [name]: entries.map((entry: unknown, place) => {
        if (!isRecord(entry)) throw unsealable();
        const index = Number.isSafeInteger(entry.index) ? Number(entry.index) : place;
        return change(entry, `${name}.${index}`);
      }),
    };
  };
  return {
    ...only(answer, ANSWER_MEMBERS),
    ...each('choices', (choice, at) => {
      if (isFilled(choice.logprobs)) throw unsealable();
      return {
        ...only(choice, CHOICE_MEMBERS),
        ...(typeof choice.text === 'string' ? { text: seal(choice.text, `${at}.text`) } : {}),
        ...sealMessage(choice, 'message', at, seal),
        ...sealMessage(choice, 'delta', at, seal),
      };
    }),
    // As JSON, even if the embedding is base64.
    ...each('data', (entry, at) => ({
      ...only(entry, ENTRY_MEMBERS),
      embedding: seal(JSON.stringify(entry.embedding ?? null), `${at}.embedding`),
    })),
  };
}

type Seal = (text: string, field: string) => string;

const only = (given: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));

function sealMessage(choice: Json, name: 'message' | 'delta', at: string, seal: Seal): Json {
  const message = choice[name];
  if (message === undefined || message === null) return {};
  if (!isRecord(message)) throw unsealable();
  const sealed: Json = {};
  for (const [member, value] of Object.entries(message)) {
    if (member === 'role' || value === null) sealed[member] = value;
    else if (CONTENT.includes(member)) sealed[member] = sealContent(value, `${at}.${name}.${member}`, seal);
    else if (member === 'audio' && name === 'message') sealed.audio = sealAudio(value, at, seal);
    else if (isFilled(value)) throw unsealable();
  }
  return { [name]: sealed };
}

function sealContent(value: unknown, field: string, seal: Seal): unknown {
  // A stream's first part often has none.
  if (value === '' && field.includes('.delta.')) return value;
  return seal(typeof value === 'string' ? value : JSON.stringify(value), field);
}

function sealAudio(audio: unknown, at: string, seal: Seal): Json {
  if (!isRecord(audio) || typeof audio.data !== 'string' || isFilled(audio.transcript)) throw unsealable();
  return { ...only(audio, ['id', 'expires_at']), data: seal(audio.data, `${at}.message.audio.data`) };
}

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const unsealable = () =>
  new AiError(
    502,
    'server_error',
    'e2ee_unsupported_answer',
    'The model’s answer has a part that E2EE version 2 can’t encrypt, so it was not sent.',
    { retry: false },
  );
