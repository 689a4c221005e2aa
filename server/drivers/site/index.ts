import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DEFAULT_SITE, type SiteContent, type SitePage } from '../../../console/lib/public/siteContent';
import { inOrder, parseSiteFile, parseSitePage } from '../../domain/public/siteFile';

interface Warn {
  warn(fields: object, message: string): void;
}

const MAX_PAGES = 30;
const MAX_BYTES = 65_536;
const SETTINGS = 'site.yaml';
/** Common misspellings of file names, which would go unnoticed. */
const MISNAMED = ['site.yml', 'site.json'];

/**
 * Returns the public-page settings from the operator's folder: docs/site.md. An invalid file is skipped with a
 * warning that names its fault, and the defaults stay.
 * @param framework the agent framework, whose page is among those that can be changed
 */
export function siteIn(folder: string, framework: string, log: Warn): SiteContent {
  if (!existsSync(folder)) return DEFAULT_SITE;
  const attempt = <T>(file: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unreadable';
      log.warn({ file, reason }, 'site file skipped');
      return undefined;
    }
  };
  const names = attempt(folder, () => readdirSync(folder).sort()) ?? [];
  for (const name of names.filter((one) => MISNAMED.includes(one)))
    log.warn({ file: join(folder, name), reason: `rename it to ${SETTINGS}` }, 'site file skipped');
  const settings = names.includes(SETTINGS)
    ? attempt(join(folder, SETTINGS), () => parseSiteFile(readText(folder, SETTINGS).text, framework))
    : undefined;
  const pages: SitePage[] = [];
  for (const name of names.filter((one) => one.toLowerCase().endsWith('.md'))) {
    if (pages.length === MAX_PAGES) {
      log.warn({ file: join(folder, name), reason: `more than ${MAX_PAGES} pages` }, 'site file skipped');
      break;
    }
    const page = attempt(join(folder, name), () => {
      const { text, changedAt } = readText(folder, name);
      return parseSitePage(name.replace(/\.md$/, ''), text, changedAt);
    });
    if (page) pages.push(page);
  }
  return { ...DEFAULT_SITE, ...settings, pages: inOrder(pages) };
}

/** Follows links within the folder, because containers mount configuration that way. */
function readText(folder: string, name: string): { text: string; changedAt: Date } {
  const file = realpathSync(join(folder, name));
  if (!file.startsWith(realpathSync(folder) + sep)) throw new Error('a symbolic link out of the folder');
  const facts = statSync(file);
  if (!facts.isFile()) throw new Error('not a file');
  if (facts.size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)),
      changedAt: facts.mtime,
    };
  } catch (error) {
    throw error instanceof TypeError ? new Error('not UTF-8') : error;
  }
}
