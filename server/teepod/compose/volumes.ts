/** Mounts: only named and anonymous volumes and tmpfs. No host path ever reaches a container. */
import { ComposeError, isYamlMap, type Out, type Yaml } from './yaml';
import { bytes, flag, map, onlyKeys, quoted, refuse, text, textOrTexts } from './values';

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;
const TEE_SOCKETS = ['dstack.sock', 'tappd.sock'];

export function readMounts(value: Yaml, where: string, declared: ReadonlySet<string>): Out[] {
  if (!Array.isArray(value)) return refuse(where, 'must be a list');
  return value.map((item, index) => {
    const at = `${where}[${index}]`;
    return isYamlMap(item) ? longForm(item, at, declared) : shortForm(text(item, at), at, declared);
  });
}

function shortForm(raw: string, at: string, declared: ReadonlySet<string>): Out {
  const parts = raw.split(':');
  if (parts.length === 1) return { type: 'volume', target: containerPath(raw, at) };
  const [source = '', target = '', mode = '', ...rest] = parts;
  if (rest.length > 0) refuse(at, `${quoted(raw)} is not a valid mount; use a form such as data:/data`);
  named(source, at, declared, raw);
  const options = mode.split(',').filter(Boolean);
  for (const option of options) {
    if (!['ro', 'rw', 'z', 'Z', 'nocopy'].includes(option))
      refuse(at, `${quoted(raw)} has an unsupported mount option`);
  }
  return {
    type: 'volume',
    source,
    target: containerPath(target, at, raw),
    ...(options.includes('ro') ? { read_only: true } : {}),
    ...(options.includes('nocopy') ? { volume: { nocopy: true } } : {}),
  };
}

function longForm(item: Record<string, Yaml>, at: string, declared: ReadonlySet<string>): Out {
  onlyKeys(item, at, ['type', 'source', 'target', 'read_only', 'volume', 'tmpfs', 'bind', 'consistency']);
  const type = text(item['type'] ?? 'volume', `${at}.type`);
  if (type === 'bind') return refuseHostPath(String(item['source'] ?? ''), at);
  const target = containerPath(text(item['target'] ?? null, `${at}.target`), at);
  const mount: { [key: string]: Out } = { type, target };
  if (type === 'tmpfs') {
    const options = item['tmpfs'] == null ? undefined : map(item['tmpfs'], `${at}.tmpfs`);
    if (options) onlyKeys(options, `${at}.tmpfs`, ['size', 'mode']);
    if (options?.['size'] != null) mount['tmpfs'] = { size: bytes(options['size'], `${at}.tmpfs.size`) };
    return mount;
  }
  if (type !== 'volume')
    refuse(`${at}.type`, `mounts of type ${quoted(type)} are not supported; use volume or tmpfs`);
  if (item['read_only'] != null) mount['read_only'] = flag(item['read_only'], `${at}.read_only`);
  if (item['source'] != null) {
    const source = text(item['source'], `${at}.source`);
    named(source, at, declared);
    mount['source'] = source;
  }
  const options = item['volume'] == null ? undefined : map(item['volume'], `${at}.volume`);
  if (options) onlyKeys(options, `${at}.volume`, ['nocopy']);
  if (options?.['nocopy'] != null) {
    mount['volume'] = { nocopy: flag(options['nocopy'], `${at}.volume.nocopy`) };
  }
  return mount;
}

/** @param raw the whole entry, because quoting part of a secret would escape redaction */
function named(source: string, at: string, declared: ReadonlySet<string>, raw = source): void {
  if (!NAME.test(source)) refuseHostPath(source, at, raw);
  if (!declared.has(source))
    refuse(at, `volume ${quoted(raw)} is not declared under the top-level "volumes"`);
}

function refuseHostPath(source: string, at: string, raw = source): never {
  const socket = TEE_SOCKETS.find((name) => source.endsWith(name));
  if (socket) refuse(at, `mounting ${socket} requires a hardware TEE, which the local teepod doesn’t have`);
  throw new ComposeError(
    `${at}: can’t mount ${quoted(raw)} from the host, because all CVMs of the local teepod share this machine; use a named volume or tmpfs`,
  );
}

export function containerPath(path: string, at: string, raw = path): string {
  if (!path.startsWith('/') || path === '/' || path.includes('\0'))
    refuse(at, `${quoted(raw)} is not an absolute path inside the container`);
  return path;
}

const TMPFS_OPTION = /^(?:ro|rw|noexec|exec|nosuid|nodev|size=\d+[kmgKMG]?|mode=[0-7]{3,4}|uid=\d+|gid=\d+)$/;

export function readTmpfs(value: Yaml, where: string): string[] {
  return textOrTexts(value, where).map((raw) => {
    const [path = '', options = '', ...rest] = raw.split(':');
    if (rest.length > 0)
      refuse(where, `${quoted(raw)} is not a valid tmpfs; use a form such as /run:size=16m`);
    containerPath(path, where, raw);
    for (const option of options.split(',').filter(Boolean)) {
      if (!TMPFS_OPTION.test(option)) refuse(where, `${quoted(raw)} has an unsupported tmpfs option`);
    }
    return raw;
  });
}
