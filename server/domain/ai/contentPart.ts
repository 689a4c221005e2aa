import * as z from 'zod';
import { isSpelled, spelled } from './requestBody';

/**
 * Parts of a request's content: text, and what a model server may fetch. Model servers differ in the members they
 * read and in how deeply these are nested, so all members are searched. A body's depth is limited before it is parsed.
 */

/** Characters of a URL. Longer ones are refused, and not kept in memory. */
const MAX_URL = 8_192;

/** Members that model servers read as a URL, in any spelling: `image_url`, `file_url`, and `url` inside them. */
const IS_URL = /url$/i;
/** Members with encoded content, which some model servers also accept as a URL. */
const IS_CONTENT = /^(data|file_data|image|audio|video|file)$/i;
const IS_DATA = /^data:/i;
const HAS_SCHEME = /^\s*[a-z][a-z0-9+.-]{0,40}:/i;

/** What the gateway keeps of a part. */
export interface ContentPart {
  type: string;
  text?: string | undefined;
  /** What a model server would fetch for it. One that is too long is empty. */
  urls?: readonly string[];
}

/** Calls `visit` with each member at any depth. Elements of a list have the list's name. */
function visitMembers(value: unknown, name: string, visit: (name: string, value: unknown) => void): void {
  visit(name, value);
  if (Array.isArray(value)) for (const one of value) visitMembers(one, name, visit);
  else if (typeof value === 'object' && value !== null)
    // Sources that an earlier answer cited. Nothing fetches them.
    for (const [inner, one] of Object.entries(value) as [string, unknown][])
      if (inner !== 'annotations') visitMembers(one, inner, visit);
}

function refersToFile(part: object): boolean {
  let found = false;
  visitMembers(part, '', (name, value) => (found ||= value !== null && name.toLowerCase() === 'file_id'));
  return found;
}

function urlsIn(part: object): string[] | null {
  let found: string[] | null = null;
  visitMembers(part, '', (name, value) => {
    if (typeof value !== 'string' || IS_DATA.test(value)) return;
    if (IS_URL.test(name) || (IS_CONTENT.test(name) && HAS_SCHEME.test(value)))
      (found ??= []).push(value.length > MAX_URL ? '' : value);
  });
  return found;
}

/**
 * Refuses stored files: model servers keep them per account, and all teams share the gateway's, so a reference could
 * reach another team's file.
 */
export const contentPart = z
  .looseObject({ type: z.string().max(100), text: z.string().optional() })
  .refine(isSpelled, spelled)
  .refine((given) => !refersToFile(given), {
    error: 'File references aren’t supported. Send the content itself',
  })
  // Leaves all else, such as images, in the request's bytes: parsed, it would double the memory.
  .transform((given): ContentPart => {
    const urls = urlsIn(given);
    return { type: given.type, text: given.text, ...(urls && { urls }) };
  });
