import { describe, expect, it } from 'vitest';
import { createPagePreloads } from './pagePreloads';

const page = (name: string) => `routes/${name}.tsx?tsr-split=component`;
const preloads = createPagePreloads({
  'index.html': { file: 'start.js', imports: ['_shared.js'] },
  '_shared.js': { file: 'shared.js' },
  '_table.js': { file: 'table.js', imports: ['_shared.js'] },
  '_loop.js': { file: 'loop.js', imports: ['_table.js', '_loop.js'] },
  'features/table.css': { file: 'table.css' },
  [page('login')]: { file: 'login.js', imports: ['index.html'] },
  [page('$teamSlug')]: { file: 'team.js', imports: ['index.html'] },
  [page('$teamSlug.index')]: { file: 'apps.js', imports: ['index.html', '_table.js', 'features/table.css'] },
  [page('$teamSlug.deploy')]: { file: 'deploy.js' },
  [page('$teamSlug.apps.$appId._pages')]: { file: 'app.js' },
  [page('$teamSlug.apps.$appId._pages.index')]: { file: 'overview.js', imports: ['_loop.js'] },
  [page('$teamSlug.apps.$appId._pages.events')]: { file: 'events.js' },
  [page('$teamSlug.cvms.$vmUuid')]: { file: 'cvm.js' },
  [page('$teamSlug.cvms.$vmUuid/logs')]: { file: 'logs.js' },
  [page('dashboard/index')]: { file: 'dashboard.js' },
});

describe('scripts preloaded for', () => {
  it.each([
    ['/login', ['login.js']],
    ['/login/', ['login.js']],
    ['/acme', ['apps.js', 'table.js', 'team.js']],
    ['/acme/deploy', ['deploy.js', 'team.js']],
    ['/acme/apps/a1', ['app.js', 'loop.js', 'overview.js', 'table.js', 'team.js']],
    ['/acme/apps/a1/events', ['app.js', 'events.js', 'team.js']],
    ['/acme/cvms/c1/logs', ['cvm.js', 'logs.js', 'team.js']],
    ['/dashboard', ['dashboard.js']],
    ['/', []],
    ['/acme/unknown', []],
    ['/acme/apps/a1/__proto__', []],
  ])('%s are those of the page and its layouts, without the entry script', (path, scripts) => {
    expect([...preloads(path)].sort()).toEqual(scripts);
  });

  it('are found quickly for a path of 100,000 segments', () => {
    expect(preloads('/a'.repeat(100_000))).toEqual([]);
  });
});
