/**
 * Compose's variable interpolation, done here instead of in the Compose client: the safety checks must see
 * interpolated values, and the client then needs no tenant variable in its environment. Grammar:
 * docs.docker.com/reference/compose-file/interpolation.
 */
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { ComposeError, emptyMap, isYamlMap, type Yaml } from './yaml';

export type Environment = ReadonlyMap<string, string>;

/** Limit on bytes read plus inserted, counting aliases each time. Linux accepts at most 2 MB per process. */
const MAX_EXPANDED_BYTES = 4 * 2 ** 20;
/** Maximum nesting of defaults such as `${A:-${B:-c}}`. */
const MAX_NESTING = 8;
const MAX_REPORTED_UNSET = 100;

/** A Compose file's environment and its interpolation budget. */
export class Interpolation {
  readonly #unset = new Set<string>();
  #left: number;

  constructor(
    readonly env: Environment,
    budget = MAX_EXPANDED_BYTES,
  ) {
    this.#left = budget;
  }

  /** Names used without a value; bounded, because each becomes a boot log line. */
  get unset(): readonly string[] {
    return [...this.#unset];
  }

  /** Interpolates every value, never keys. @throws {ComposeError} when the budget is exceeded. */
  tree(value: Yaml): Yaml {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.tree(item));
    if (isYamlMap(value)) {
      const out = emptyMap();
      for (const [key, item] of Object.entries(value)) {
        this.#spend(key);
        out[key] = this.tree(item);
      }
      return out;
    }
    return value;
  }

  text(text: string, depth = 0): string {
    // Input counts too: an alias repeats a long text, and a variable may be empty.
    this.#spend(text);
    if (!text.includes('$')) return text;
    if (depth > MAX_NESTING) throw new ComposeError('variables in the Compose file are nested too deep');
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
        out += this.#braced(text.slice(next + 2, end), depth);
        at = end + 1;
      } else {
        const name = nameAt(text, next + 1);
        if (!name) throw invalid(text);
        out += this.#lookup(name);
        at = next + 1 + name.length;
      }
    }
    return out;
  }

  /** Returns a variable listed without a value, as in `environment: [NAME]`. */
  value(name: string): string | undefined {
    const value = this.env.get(name);
    if (value !== undefined) this.#spend(value);
    return value;
  }

  #braced(body: string, depth: number): string {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])([\s\S]*))?$/.exec(body);
    if (!match?.[1]) throw invalid(`\${${body}}`);
    const [, name, operator, rest = ''] = match;
    if (!operator) return this.#lookup(name);
    const present = this.env.has(name) && (operator.length === 1 || this.env.get(name) !== '');
    if (operator.endsWith('+')) return present ? this.text(rest, depth + 1) : '';
    if (present) return this.#lookup(name);
    if (operator.endsWith('-')) return this.text(rest, depth + 1);
    throw new ComposeError(
      `required variable ${cutWhole(name, 255)} has no value${rest ? `: ${cutWhole(rest, 200)}` : ''}`,
    );
  }

  #lookup(name: string): string {
    const value = this.value(name);
    if (value === undefined && this.#unset.size < MAX_REPORTED_UNSET) this.#unset.add(name.slice(0, 255));
    return value ?? '';
  }

  #spend(text: string): void {
    this.#left -= Buffer.byteLength(text);
    if (this.#left < 0)
      throw new ComposeError(
        `The environment expands to more than ${MAX_EXPANDED_BYTES / 2 ** 20} MB. Use large variables in fewer places.`,
      );
  }
}

function nameAt(text: string, at: number): string | undefined {
  const name = /[A-Za-z_][A-Za-z0-9_]*/y;
  name.lastIndex = at;
  return name.exec(text)?.[0];
}

function closing(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '$' && text[at + 1] === '{') open++;
    else if (text[at] === '}' && --open === 0) return at;
  }
  throw invalid(text);
}

/** @param text from the file itself, never a value of a variable */
function invalid(text: string): ComposeError {
  return new ComposeError(
    `invalid variable in the Compose file near "${cutWhole(text, 40)}": write $$ for a dollar sign`,
  );
}
