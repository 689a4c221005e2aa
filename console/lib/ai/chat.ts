import { concatBytes, utf8 } from '../bytes';
import type { ChatSettings } from './chatSettings';

/** A small gateway client: the page uses the same API as any program. */

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** Data URLs of a user's images. */
  images?: readonly string[];
}

export interface ChatUsage {
  input_tokens: number;
  output_tokens: number;
}

export interface ChatAnswer {
  /** Null if the model doesn't report it. */
  usage: ChatUsage | null;
  receipt_id: string | null;
  /** The bodies' bytes, as sent and received. */
  request: Uint8Array;
  response: Uint8Array;
}

interface Chunk {
  id?: unknown;
  choices?: { delta?: { content?: string | null } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  error?: { message?: string };
}

interface ChatCall {
  base_url: string;
  key: string;
  model: string;
  messages: readonly ChatTurn[];
  settings: ChatSettings;
  signal: AbortSignal;
  /** Called with the receipt's ID, before the answer's first bytes. */
  onReceipt: (id: string | null) => void;
  /** Called with the answer's ID once it is known. */
  onId: (id: string) => void;
  onText: (text: string) => void;
}

/** Images follow the text, as content parts. */
const messageOf = ({ role, content, images = [] }: ChatTurn) => ({
  role,
  content:
    images.length === 0
      ? content
      : [
          { type: 'text', text: content },
          ...images.map((url) => ({ type: 'image_url', image_url: { url } })),
        ],
});

/** Streams an answer. @throws {Error} with a sentence for the user, or an AbortError */
export async function streamChat(call: ChatCall): Promise<ChatAnswer> {
  const body = JSON.stringify({
    model: call.model,
    messages: call.messages.map(messageOf),
    stream: true,
    stream_options: { include_usage: true },
    ...call.settings,
  });
  const response = await fetch(`${call.base_url}/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${call.key}`, 'Content-Type': 'application/json' },
    credentials: 'omit',
    signal: call.signal,
    body,
  });
  if (!response.ok || response.body === null) throw new Error(await refusalOf(response));
  const receipt_id = response.headers.get('x-receipt-id');
  call.onReceipt(receipt_id);
  let usage: ChatUsage | null = null;
  let is_complete = false;
  const pieces: Uint8Array[] = [];
  for await (const data of eventsOf(response.body, (bytes) => pieces.push(bytes))) {
    if (data === '[DONE]') is_complete = true;
    else {
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error) throw new Error(chunk.error.message ?? 'The model failed.');
      if (typeof chunk.id === 'string') call.onId(chunk.id);
      call.onText(chunk.choices?.[0]?.delta?.content ?? '');
      if (chunk.usage)
        usage = { input_tokens: chunk.usage.prompt_tokens, output_tokens: chunk.usage.completion_tokens };
    }
  }
  if (!is_complete) throw new Error('The response was interrupted. Send the message again.');
  return {
    usage,
    receipt_id,
    request: utf8(body),
    response: concatBytes(...pieces),
  };
}

/** Fetches one of the gateway's documents. @throws {Error} with a sentence for the user */
export async function fetchAci(base_url: string, path: string, key?: string): Promise<unknown> {
  const response = await fetch(`${base_url}/aci/${path}`, {
    credentials: 'omit',
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
  });
  if (!response.ok) throw new Error(await refusalOf(response));
  return response.json();
}

async function refusalOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as Chunk | null;
  return body?.error?.message ?? `The gateway returned status ${response.status}.`;
}

/** Yields the data of each server-sent event, regardless of chunk boundaries. @param onBytes receives all bytes */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) onBytes?.(value);
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split(/\r?\n/);
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
