/**
 * Compose's variable interpolation, done here and not by the compose client, for two reasons: the checks of what a stranger may ask
 * for must see the values after interpolation, and the client then needs no variable of the tenant in its own environment.
 * Grammar: docs.docker.com/reference/compose-file/interpolation.
 */
import { ComposeError, emptyMap, isYamlMap, type Yaml } from './yaml';

export type Environment = ReadonlyMap<string, string>;

/** Replaces in every value (never in keys). Unset variables become "" and are reported once each through `unset`. */
export function interpolateTree(value: Yaml, env: Environment, unset: (name: string) => void): Yaml {
  if (typeof value === 'string') return interpolate(value, env, unset);
  if (Array.isArray(value)) return value.map((item) => interpolateTree(item, env, unset));
  if (isYamlMap(value)) {
    const out = emptyMap();
    for (const [key, item] of Object.entries(value)) out[key] = interpolateTree(item, env, unset);
    return out;
  }
  return value;
}

export function interpolate(
  text: string,
  env: Environment,
  unset: (name: string) => void,
  depth = 0,
): string {
  if (!text.includes('$')) return text;
  if (depth > 8) throw new ComposeError('variables in the compose file are nested too deep');
  let out = '';
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('$', at);
    if (next < 0) return out + text.slice(at);
    out += text.slice(at, next);
    const after = text[next + 1];
    if (after === '$') {
      out += '$';
      at = next + 2;
    } else if (after === '{') {
      const end = closing(text, next + 2);
      out += braced(text.slice(next + 2, end), env, unset, depth);
      at = end + 1;
    } else {
      const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(next + 1))?.[0];
      if (!name) throw invalid(text);
      out += lookup(name, env, unset);
      at = next + 1 + name.length;
    }
  }
  return out;
}

function closing(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '$' && text[at + 1] === '{') open++;
    else if (text[at] === '}' && --open === 0) return at;
  }
  throw invalid(text);
}

function braced(body: string, env: Environment, unset: (name: string) => void, depth: number): string {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])([\s\S]*))?$/.exec(body);
  if (!match?.[1]) throw invalid(`\${${body}}`);
  const [, name, operator, rest = ''] = match;
  if (!operator) return lookup(name, env, unset);
  const value = env.get(name);
  const present = value !== undefined && (operator.length === 1 || value !== '');
  const other = (): string => interpolate(rest, env, unset, depth + 1);
  if (operator.endsWith('-')) return present ? value : other();
  if (operator.endsWith('+')) return present ? other() : '';
  if (present) return value;
  throw new ComposeError(`required variable ${name} has no value${rest ? `: ${rest}` : ''}`);
}

function lookup(name: string, env: Environment, unset: (name: string) => void): string {
  const value = env.get(name);
  if (value === undefined) unset(name);
  return value ?? '';
}

function invalid(text: string): ComposeError {
  return new ComposeError(
    `invalid variable in the compose file near "${text.slice(0, 40)}": write $$ for a dollar sign`,
  );
}
