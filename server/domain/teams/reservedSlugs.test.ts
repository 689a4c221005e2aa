import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../../../generated/api/pages.gen';
import { isReservedSlug } from '../../../console/lib/ids';
import { PUBLIC_PATHS, widgetPath } from '../../../console/lib/public/site';
import { ROOT } from '../../root';

/**
 * Paths served by the server's own handlers, read from the calls that add them: `app.get('/robots.txt', …)`.
 */
const HTTP = join(ROOT, 'server/http');
const served = readdirSync(HTTP, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => [
    ...readFileSync(join(HTTP, file), 'utf8').matchAll(/\bapp\.(?:get|post|use|all)\(\s*\[?\s*'(\/[^']+)'/g),
  ])
  .map((match) => match[1] ?? '');

const firstSegment = (path: string) => path.split('/')[1] ?? '';

it('no team can take the first segment of a product path', () => {
  const paths = [...pages, ...Object.values(PUBLIC_PATHS), widgetPath('id'), ...served];
  // `$name`, `{name}` and `{*path}` stand for any segment or for a setting.
  const words = [...new Set(paths.map(firstSegment))].filter((word) => /^[\w.-]+$/.test(word));
  expect(words).toEqual(expect.arrayContaining(['login', 'explorer', 'widget', 'api', 'robots.txt']));
  expect(words.filter((word) => !isReservedSlug(word))).toEqual([]);
});
