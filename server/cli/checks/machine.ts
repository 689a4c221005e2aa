import { access, constants, mkdir, readFile, stat, statfs } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import type { Config } from '../../config';
import { findDocker } from '../../teepod/engine/find';
import { fail, ok, warn, type Finding } from './finding';

const GB = 1e9;
const LOW_GB = 5;
const FULL_GB = 0.5;
const MAIL_MS = 5_000;

/** As package.json's `engines`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old`, 'Install Node 20.19 or newer.');
}

export function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): Finding {
  const url = new URL(publicUrl);
  const here =
    ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || url.hostname.endsWith('.localhost');
  return url.protocol === 'https:' || here
    ? ok('address', publicUrl)
    : warn(
        'address',
        `${publicUrl} is not encrypted: passwords and sessions can be read on the way`,
        'Put a proxy with a certificate in front and set PUBLIC_URL to its https address.',
      );
}

export async function checkSecret({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): Promise<Finding> {
  if (secret !== undefined) return ok('secret', 'from TEEHOUSE_SECRET');
  const file = path.join(dataDir, 'secret');
  const found = await stat(file).catch(() => undefined);
  if (!found) return ok('secret', `none yet; the first start makes ${file}`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined)
    return fail('secret', `${file} cannot be read`, 'Run as the user who runs the server.');
  if (Buffer.byteLength(text.trim()) < 32)
    return fail('secret', `${file} is damaged`, 'Put the copy back that was kept with the backups.');
  return (found.mode & 0o077) === 0
    ? ok('secret', file)
    : warn('secret', `${file} can be read by other users`, `chmod 600 ${file}`);
}

export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  try {
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    await access(dataDir, constants.W_OK);
  } catch {
    return fail('disk', `${dataDir} cannot be written to`, 'Choose another DATA_DIR, or change its owner.');
  }
  const { bavail, bsize } = await statfs(dataDir);
  return diskFinding(dataDir, (bavail * bsize) / GB);
}

export function diskFinding(dir: string, free_gb: number): Finding {
  const text = `${free_gb.toFixed(1)} GB free for ${dir}`;
  const advice = 'Make room, or move DATA_DIR to a larger disk.';
  if (free_gb < FULL_GB) return fail('disk', text, advice);
  return free_gb < LOW_GB ? warn('disk', text, advice) : ok('disk', text);
}

export async function checkDocker({ localTeepod }: Pick<Config, 'localTeepod'>): Promise<Finding> {
  if (!localTeepod.enabled) return ok('docker', 'not needed: the local teepod is off');
  if (localTeepod.engine === 'simulate') return ok('docker', 'not needed: containers are simulated');
  const found = await findDocker();
  if (!('reason' in found))
    return ok('docker', `engine ${found.engineVersion}, compose ${found.composeVersion}, at ${found.socket}`);
  const advice = 'Install Docker with its compose plugin, start it, and let this user use it.';
  return localTeepod.engine === 'docker'
    ? fail('docker', found.reason, advice)
    : warn('docker', `${found.reason}; containers are simulated`, advice);
}

export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) return ok('mail', 'no SMTP_URL: mail stays on this server');
  const { hostname, port, protocol } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const where = `${hostname}:${port || (secure ? 465 : 587)}`;
  const greeting = await greet(hostname, Number(port) || (secure ? 465 : 587), secure);
  return greeting.startsWith('220')
    ? ok('mail', `${where} answers`)
    : fail('mail', `${where}: ${greeting}`, 'Check SMTP_URL, and that this machine may reach that port.');
}

/** The first line a mail server says (RFC 5321 §4.2: 220 when it is ready), or why there was none. */
function greet(host: string, port: number, secure: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = secure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
    const end = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(MAIL_MS, () => end(`no answer in ${MAIL_MS / 1000} s`));
    socket.once('error', (error) => end(error.message));
    socket.once('data', (data) => end(data.toString('latin1').split('\r\n')[0]?.slice(0, 200) ?? ''));
    socket.once('close', () => resolve('it closed the connection'));
  });
}
