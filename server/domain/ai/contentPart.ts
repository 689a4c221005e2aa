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
/** Members whose URLs nothing fetches: sources that an earlier answer cited, and the arguments and results of tools. */
const IS_DATA_ONLY = /^(annotations|arguments|input|json)$/i;
const HAS_SCHEME = /^\s*[a-z][a-z0-9+.-]{0,40}:/i;

/** What the gateway keeps of a part. */
export interface ContentPart {
  type: string;
  text?: string | undefined;
  /** What a model server would fetch for it. One that is too long is empty. */
  urls?: readonly string[];
}

/** What a part refers to, at any depth. */
interface References {
  hasFile: boolean;
  urls: string[] | null;
}

/**
 * Adds what `value` refers to.
 * @param name of the member that holds it, or that holds the list it is in
 * @param isFetched whether a model server may fetch its URLs
 */
function addReferences(found: References, value: unknown, name: string, isFetched: boolean): void {
  if (value !== null && name.toLowerCase() === 'file_id') found.hasFile = true;
  if (typeof value === 'string') {
    if (isFetched && isUrl(name, value)) (found.urls ??= []).push(value.length > MAX_URL ? '' : value);
  } else if (Array.isArray(value)) {
    for (const one of value) addReferences(found, one, name, isFetched);
  } else if (typeof value === 'object' && value !== null) {
    for (const [inner, one] of Object.entries(value) as [string, unknown][])
      addReferences(found, one, inner, isFetched && !IS_DATA_ONLY.test(inner));
  }
}

const isUrl = (name: string, value: string): boolean =>
  !IS_DATA.test(value) && (IS_URL.test(name) || (IS_CONTENT.test(name) && HAS_SCHEME.test(value)));

/**
 * Refuses stored files: model servers keep them per account, and all teams share the gateway's, so a reference could
 * reach another team's file.
 */
export const contentPart = z
  .looseObject({ type: z.string().max(100), text: z.string().optional() })
  .refine(isSpelled, spelled)
  // Leaves all else, such as images, in the request's bytes: parsed, it would double the memory.
  .transform(({ type, text, ...more }, context): ContentPart => {
    const found: References = { hasFile: false, urls: null };
    addReferences(found, more, '', true);
    if (found.hasFile)
      context.addIssue({
        code: 'custom',
        message: 'File references aren’t supported. Send the content itself',
      });
    return { type, text, ...(found.urls && { urls: found.urls }) };
  });
