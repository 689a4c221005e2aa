// Detects GPU requests in an app's Compose file and scripts. The text is searched rather than parsed: evidence
// is hostile, and 200 KB can keep a YAML parser busy for minutes. Words count anywhere, so anchors, merges and
// quoting hide nothing. A false positive costs a warning; a missed GPU would end in "verified".

import { readJson } from '../json';

/** Characters; Compose files have at most 200 KiB. */
const MAX_COMPOSE = 262_144;
/** `gpus:`, `capabilities: [gpu]`, `driver: nvidia`, `runtime: nvidia`, NVIDIA_VISIBLE_DEVICES, device nodes, CDI names. */
const COMPOSE = /(?<![\w./-])gpus?(?![\w./-])|nvidia|\/dev\/(?:dri|kfd|vfio)|amd\.com\/gpu/i;
const SCRIPT = /nvidia|--gpus|\/dev\/(?:dri|kfd|vfio)/i;
/**
 * A binary tag, or one that may spell it with percent escapes or its own prefix. The bound keeps matching
 * linear.
 */
const BINARY = /!\S{0,80}(?:binary|%)|^%TAG/im;
const COMMENT_LINE = /^[ \t]*#.*$/gm;
/** Escapes in double-quoted YAML that can spell a letter or slash, and the one that joins lines. */
const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(\/)|\r?\n[ \t]*)/gi;

const unescaped = (text: string): string =>
  text.replace(ESCAPE, (_, ...[x, u, long, slash]: (string | undefined)[]) => {
    const digits = x ?? u ?? long;
    if (digits === undefined) return slash ?? '';
    const code = Number.parseInt(digits, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

function composeRequest(text: string): string | null {
  if (text.length > MAX_COMPOSE) return 'the Compose file is too long to read';
  // Docker decodes binary values.
  if (BINARY.test(text)) return 'the Compose file has a binary value';
  const found = COMPOSE.exec(unescaped(text.replace(COMMENT_LINE, '')))?.[0];
  return found === undefined ? null : `the Compose file names “${found}”`;
}

const SCRIPTS = ['pre_launch_script', 'init_script', 'bash_script', 'swap_script'] as const;

/**
 * Returns what requests a GPU in app-compose.json, to complete "A GPU is involved: …"; null if nothing does.
 */
export function gpuRequest(appCompose: string): string | null {
  const json = readJson(appCompose);
  if ('fault' in json) return `app-compose.json ${json.fault}`;
  if (typeof json.value !== 'object' || json.value === null) return 'app-compose.json is not a JSON object';
  const app = json.value as Readonly<Record<string, unknown>>;
  const { requirements, docker_compose_file } = app;
  if (typeof requirements === 'object' && requirements !== null && Object.hasOwn(requirements, 'gpu_policy'))
    return 'app-compose.json has a GPU policy';
  const script = SCRIPTS.find((name) => {
    const text = app[name];
    return SCRIPT.test(typeof text === 'string' ? text : (JSON.stringify(text) ?? ''));
  });
  if (script !== undefined) return `${script} names a GPU`;
  return typeof docker_compose_file === 'string' ? composeRequest(docker_compose_file) : null;
}
