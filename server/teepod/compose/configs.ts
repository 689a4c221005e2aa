/** Configs: files whose text is in the Compose file. No host file ever reaches a container. */
import type { Yaml, YamlMap } from './yaml';
import { isYamlMap } from './yaml';
import { list, map, onlyKeys, quoted, refuse, text } from './values';
import { containerPath } from './volumes';

export interface ConfigMount {
  /** Name of the config. */
  source: string;
  /** Path in the container. */
  target: string;
}

const MAX_CONFIGS = 32;
/** Maximum bytes of all configs: an alias can repeat a long text. */
const MAX_BYTES = 2 ** 20;

/** Returns the text of each config. @param section as written, before interpolation */
export function readConfigs(section: YamlMap): Record<string, string> {
  const entries = Object.entries(section);
  if (entries.length > MAX_CONFIGS) refuse('configs', `more than ${MAX_CONFIGS} configs`);
  const contents = entries.map(([name, value]) => [name, contentOf(value, `configs.${name}`)] as const);
  const bytes = contents.reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0);
  if (bytes > MAX_BYTES) refuse('configs', `larger than ${MAX_BYTES / 1024} KiB together`);
  return Object.fromEntries(contents);
}

function contentOf(value: Yaml, at: string): string {
  const config = map(value, at);
  onlyKeys(config, at, ['name', 'content', 'file', 'environment', 'external', 'labels', 'template_driver']);
  if (config['file'] != null)
    refuse(`${at}.file`, 'only the Compose file is deployed, without other files; use `content`');
  if (config['environment'] != null)
    refuse(
      `${at}.environment`,
      'the local teepod writes no values of variables to disk; use the service’s `environment`',
    );
  if (config['external'] != null && config['external'] !== 'false')
    refuse(`${at}.external`, 'can’t read configs outside the CVM');
  const content = text(config['content'] ?? null, `${at}.content`);
  const plain = content.split('$$');
  if (plain.some((part) => part.includes('$')))
    refuse(
      `${at}.content`,
      'the local teepod writes no values of variables to disk; use the service’s `environment`, and $$ for a dollar sign',
    );
  return plain.join('$');
}

/** Returns a service's configs and their paths. They are readable by every user of its containers, and read-only. */
export function readConfigMounts(value: Yaml, where: string, declared: ReadonlySet<string>): ConfigMount[] {
  return list(value, where).map((item, index) => {
    const at = `${where}[${index}]`;
    const options = isYamlMap(item) ? item : undefined;
    if (options) onlyKeys(options, at, ['source', 'target', 'uid', 'gid', 'mode']);
    const source = text((options ? options['source'] : item) ?? null, options ? `${at}.source` : at);
    if (!declared.has(source))
      refuse(at, `config ${quoted(source)} is not declared under the top-level "configs"`);
    const target = text(options?.['target'] ?? `/${source}`, `${at}.target`);
    return { source, target: containerPath(target.startsWith('/') ? target : `/${target}`, at) };
  });
}
