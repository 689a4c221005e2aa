import { access, constants, mkdir, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Agent, request } from 'undici';
import { isLocalUrl, type Config } from '../../config';
import { parseSmtpUrl } from '../../domain/notifications/mail/smtpUrl';
import { createSmtpDriver } from '../../drivers/mail/smtp';
import { findDocker } from '../../teepod/engine/find';
import { fail, ok, warn, type Finding } from './finding';

const GB = 1e9;
const LOW_GB = 5;
const FULL_GB = 0.5;

/** Matches `engines` in package.json. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old`, 'Install Node 20.19 or newer.');
}

export function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): Finding {
  return new URL(publicUrl).protocol === 'https:' || isLocalUrl(publicUrl)
    ? ok('address', publicUrl)
    : warn(
        'address',
        `${publicUrl} is not encrypted: passwords and sessions can be intercepted`,
        'Put a proxy with a certificate in front and set PUBLIC_URL to its https address.',
      );
}

export async function checkSecret({
  secret,
  secondSecret,
  dataDir,
}: Pick<Config, 'secret' | 'secondSecret' | 'dataDir'>): Promise<Finding> {
  if (secondSecret !== undefined)
    return warn(
      'secret',
      'a second secret is accepted (TEEHOUSE_SECOND_SECRET)',
      'Run `teehouse reseal`, then remove it. See “Replace the secret” in docs/operations.md.',
    );
  if (secret !== undefined) return ok('secret', 'from TEEHOUSE_SECRET');
  const file = path.join(dataDir, 'secret');
  const found = await stat(file).catch(() => undefined);
  if (!found) return ok('secret', `none yet; the first start creates ${file}`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined)
    return fail('secret', `can't read ${file}`, 'Run this as the user who runs the server.');
  if (Buffer.byteLength(text.trim()) < 32)
    return fail('secret', `${file} is damaged`, 'Restore the copy stored with the backups.');
  return (found.mode & 0o077) === 0
    ? ok('secret', file)
    : warn('secret', `${file} can be read by other users`, `chmod 600 ${file}`);
}

export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  try {
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    await access(dataDir, constants.W_OK);
  } catch {
    return fail('disk', `can't write to ${dataDir}`, 'Choose another DATA_DIR, or change its owner.');
  }
  const { bavail, bsize } = await statfs(dataDir);
  return diskFinding(dataDir, (bavail * bsize) / GB);
}

export function diskFinding(dir: string, free_gb: number): Finding {
  const text = `${free_gb.toFixed(1)} GB free for ${dir}`;
  const advice = 'Free up space, or move DATA_DIR to a larger disk.';
  if (free_gb < FULL_GB) return fail('disk', text, advice);
  return free_gb < LOW_GB ? warn('disk', text, advice) : ok('disk', text);
}

export async function checkDocker({ localTeepod }: Pick<Config, 'localTeepod'>): Promise<Finding> {
  if (!localTeepod.enabled) return ok('docker', 'not needed: the local teepod is off');
  if (localTeepod.engine === 'simulate') return ok('docker', 'not needed: containers are simulated');
  const found = await findDocker();
  if (!('reason' in found))
    return ok('docker', `engine ${found.engineVersion}, compose ${found.composeVersion}, at ${found.socket}`);
  const advice = 'Install Docker with its compose plugin, start it, and give this user access to it.';
  return localTeepod.engine === 'docker'
    ? fail('docker', found.reason, advice)
    : warn('docker', `${found.reason}; containers are simulated`, advice);
}

/** Connects, encrypts and signs in, as when sending. */
export async function checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<Finding> {
  if (smtpUrl === undefined)
    return ok('mail', 'SMTP_URL is not set: mail stays in the outbox; see `teehouse outbox list`');
  const { host, port, user } = parseSmtpUrl(smtpUrl);
  const where = `${host}:${port}`;
  const driver = createSmtpDriver({ url: smtpUrl, from: mailFrom });
  try {
    await driver.verify();
    return ok(
      'mail',
      `${where} responds${user === undefined ? '' : ' and accepts the sign-in'}; mail is sent from ${mailFrom.address}`,
    );
  } catch (error) {
    return fail(
      'mail',
      `${where}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
      'Check SMTP_URL, and that this machine can reach that port.',
    );
  } finally {
    driver.close();
  }
}

const COLLECTOR_MS = 5_000;

/** Sends an export without spans, which a collector accepts like any other. */
export async function checkTraces({ tracing }: Pick<Config, 'tracing'>): Promise<Finding> {
  if (!tracing) return ok('traces', 'off: OTEL_EXPORTER_OTLP_ENDPOINT is not set');
  const { endpoint, headers, certificate } = tracing;
  const advice =
    'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS. The server also runs without the collector.';
  const ca = certificate === null ? undefined : await readFile(certificate).catch(() => null);
  if (ca === null) return warn('traces', `can't read OTEL_EXPORTER_OTLP_CERTIFICATE=${certificate}`, advice);
  const agent = new Agent({ connect: ca === undefined ? {} : { ca } });
  try {
    const { statusCode: status, body } = await request(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(COLLECTOR_MS),
      dispatcher: agent,
    });
    await body.dump();
    return status >= 200 && status < 300
      ? ok('traces', `${endpoint} accepts them`)
      : warn('traces', `${endpoint} replies ${status}`, advice);
  } catch {
    return warn('traces', `${endpoint} doesn't respond`, advice);
  } finally {
    await agent.destroy();
  }
}
