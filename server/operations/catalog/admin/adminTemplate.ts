import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { cvmNameProblem } from '../../../../console/lib/ids';
import { parseTemplate, TemplateFault } from '../../../domain/catalog/template';
import { OutboundError } from '../../../drivers/net';
import { invalid } from '../../core/invalid';
import type { Context } from '../../types';

const MAX_BYTES = 131_072;
const TIMEOUT_MS = 10_000;
const MAX_METADATA = 65_536;

export interface TemplateTexts {
  metadata: string;
  compose_file: string;
}

/**
 * Returns the columns of a template from its two texts. @throws VALIDATION_FAILED with the reason it can't be offered
 */
export function checkedTemplate(id: string, { metadata, compose_file }: TemplateTexts, from: string | null) {
  const idProblem =
    id === id.toLowerCase() ? cvmNameProblem(id) : 'Use lowercase letters, digits and hyphens.';
  if (idProblem !== null) throw invalid('id', idProblem);
  try {
    if (metadata.length > MAX_METADATA)
      throw new TemplateFault(`template.yaml: longer than ${MAX_METADATA} characters`);
    // PostgreSQL text can't hold NUL.
    if (metadata.includes('\0')) throw new TemplateFault('template.yaml: contains a NUL character');
    if (compose_file.includes('\0')) throw new TemplateFault('docker-compose.yml: contains a NUL character');
    const { name, version, category } = parseTemplate(id, metadata, compose_file);
    return { metadata, compose_file, name, version, category };
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    const { message } = error;
    const field = message.startsWith('docker-compose.yml') ? 'compose_file' : 'metadata';
    throw invalid(from === null ? field : 'source_url', cutWhole(message, 500));
  }
}

/**
 * Reads a template from a folder on the web, such as a repository's raw files, under the same address rules as
 * for customers: https, no private addresses, no redirects.
 * @throws VALIDATION_FAILED
 */
export async function readFromUrl(
  ctx: Context,
  source_url: string,
): Promise<TemplateTexts & { source_url: string }> {
  const base = folderOf(source_url);
  // Sequential: the second isn't requested if the first is refused.
  const metadata = await readText(ctx, new URL('template.yaml', base));
  const compose_file = await readText(ctx, new URL('docker-compose.yml', base));
  return { metadata, compose_file, source_url: base.href };
}

function folderOf(given: string): URL {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw invalid(
      'source_url',
      'Enter the https:// address of a folder with template.yaml and docker-compose.yml.',
    );
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw invalid('source_url', 'Enter an address without credentials, query or fragment.');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

async function readText(ctx: Context, url: URL): Promise<string> {
  const request = { timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES, signal: ctx.signal };
  const answer = await ctx.webhookNet.fetch(url, request).catch((error: unknown) => {
    if (error instanceof OutboundError) throw invalid('source_url', error.message);
    throw error;
  });
  const name = url.href.slice(0, 300);
  if (answer.status !== 200) throw invalid('source_url', `${name} returned status ${answer.status}.`);
  const bytes = await answer.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('source_url', `${name} is not UTF-8 text.`);
  }
}
