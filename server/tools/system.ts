import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run } from './run';

/** Programs outside npm that the tests use. The server itself needs none of them. */

interface Need {
  /** Debian package. */
  package: string;
  for: string;
  present(): boolean;
  /** A substitute if the package can't be installed. */
  substitute?(): boolean;
}

const NEEDS: Need[] = [
  {
    package: 'chromium-headless-shell',
    for: 'browser tests',
    present: () => onPath('chromium-headless-shell') !== undefined,
    substitute: () => findChromium() !== undefined,
  },
  {
    package: 'docker.io',
    for: 'running real containers',
    present: () => onPath('docker') !== undefined && onPath('dockerd') !== undefined,
  },
  {
    package: 'docker-compose',
    for: 'running Compose files for real',
    present: () =>
      onPath('docker-compose') !== undefined ||
      ['/usr/libexec', '/usr/lib', '/usr/local/libexec', '/usr/local/lib'].some((dir) =>
        existsSync(`${dir}/docker/cli-plugins/docker-compose`),
      ),
  },
  {
    package: 'busybox-static',
    for: 'building test images without a registry',
    present: () => existsSync('/bin/busybox') || existsSync('/usr/bin/busybox'),
  },
  {
    package: 'postgresql',
    for: 'running the suite on an ordinary PostgreSQL',
    present: () => findPostgres() !== undefined,
  },
  {
    package: 'prometheus',
    for: 'testing the alert rules',
    present: () => findPrometheus() !== undefined,
  },
];

/**
 * Installs missing packages with apt-get when it runs as root; otherwise prints what to install. Returns the packages
 * that are still missing and have no substitute.
 */
export async function ensureSystemPackages(): Promise<string[]> {
  const mayInstall = process.getuid?.() === 0 && onPath('apt-get') !== undefined;
  if (mayInstall) {
    const missing = NEEDS.filter((need) => !need.present());
    // Separately: apt-get installs nothing if it doesn't know one of the names.
    await install(missing.filter(({ substitute }) => substitute === undefined));
    await install(missing.filter(({ substitute }) => substitute !== undefined));
  }
  const still = NEEDS.filter((need) => !need.present() && !need.substitute?.());
  const names = still.map((need) => need.package);
  if (still.length > 0) {
    console.log('Not installed:');
    for (const need of still) console.log(`  ${need.package}: ${need.for}`);
    if (!mayInstall) console.log(`On Debian or Ubuntu: sudo ${APT} ${names.join(' ')}`);
  }
  return names;
}

const APT = 'apt-get install -y --no-install-recommends';

async function install(needs: Need[]): Promise<void> {
  if (needs.length === 0) return;
  const names = needs.map((need) => need.package);
  console.log(`installing ${names.join(', ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const args = [...APT.split(' ').slice(1), ...names];
  let installed = await run('apt-get', args, { env });
  if (installed.code !== 0) {
    await run('apt-get', ['update'], { env });
    installed = await run('apt-get', args, { env });
  }
  if (installed.code !== 0) console.log(installed.output.trim().split('\n').slice(-15).join('\n'));
}

/**
 * Returns a Chromium that Playwright can drive. Prefers the headless shell: it draws no browser window, which
 * takes the full browser half of its processor time.
 */
export function findChromium(): string | undefined {
  return ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
    .map(onPath)
    .find(Boolean);
}

/** Returns the folder with initdb and postgres of the newest installed PostgreSQL; Debian keeps them off the PATH. */
export function findPostgres(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base) : [];
  return [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(base, version, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
  ].find((dir) => existsSync(path.join(dir, 'postgres')) && existsSync(path.join(dir, 'initdb')));
}

/** Returns the paths of Prometheus and of its tool for checking configurations. */
export function findPrometheus(): { server: string; tool: string } | undefined {
  const [server, tool] = [onPath('prometheus'), onPath('promtool')];
  return server === undefined || tool === undefined ? undefined : { server, tool };
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
