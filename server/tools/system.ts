import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run } from './run';

/** Programs outside of npm that the tests use. The server itself needs none of them. */

interface Need {
  /** Debian package. */
  package: string;
  for: string;
  present(): boolean;
}

const NEEDS: Need[] = [
  {
    package: 'chromium',
    for: 'browser tests',
    present: () => findChromium() !== undefined,
  },
  {
    package: 'docker.io',
    for: 'running containers for real',
    present: () => onPath('docker') !== undefined && onPath('dockerd') !== undefined,
  },
  {
    package: 'docker-compose',
    for: 'running compose files for real',
    present: () =>
      onPath('docker-compose') !== undefined ||
      ['/usr/libexec', '/usr/lib', '/usr/local/libexec', '/usr/local/lib'].some((dir) =>
        existsSync(`${dir}/docker/cli-plugins/docker-compose`),
      ),
  },
  {
    package: 'busybox-static',
    for: 'test images made without a registry',
    present: () => existsSync('/bin/busybox') || existsSync('/usr/bin/busybox'),
  },
  {
    package: 'postgresql',
    for: 'the suite on an ordinary PostgreSQL',
    present: () => findPostgres() !== undefined,
  },
];

/** Installs what is missing through apt-get as root; otherwise says what to install. Returns what is still missing. */
export async function ensureSystemPackages(): Promise<string[]> {
  const missing = NEEDS.filter((need) => !need.present());
  if (missing.length === 0) return [];
  const names = missing.map((need) => need.package);
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    console.log('Not installed:');
    for (const need of missing) console.log(`  ${need.package}: ${need.for}`);
    console.log(`On Debian or Ubuntu: sudo ${command}`);
    return names;
  }
  console.log(`installing ${names.join(', ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-y', '--no-install-recommends', ...names];
  let installed = await run('apt-get', args, { env });
  if (installed.code !== 0) {
    await run('apt-get', ['update'], { env });
    installed = await run('apt-get', args, { env });
  }
  const still = missing.filter((need) => !need.present()).map((need) => need.package);
  if (still.length > 0) console.log(installed.output.trim().split('\n').slice(-15).join('\n'));
  return still;
}

/** A Chromium that Playwright can drive. */
export function findChromium(): string | undefined {
  return ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map(onPath).find(Boolean);
}

/** Directory with initdb and postgres of the newest installed PostgreSQL; Debian keeps them off the PATH. */
export function findPostgres(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base) : [];
  return [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(base, version, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
  ].find((dir) => existsSync(path.join(dir, 'postgres')) && existsSync(path.join(dir, 'initdb')));
}

function onPath(name: string): string | undefined {
  const dirs = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin`.split(
    ':',
  );
  return dirs
    .map((dir) => path.join(dir, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
