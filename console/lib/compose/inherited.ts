// What services take from others by `extends`.

import { type ComposeSource, type Field, scalarText } from './source';

/** A service's chain of `extends`. */
export interface Inherited {
  /** The named service. */
  base: string;
  /** Where the chain ends; `elsewhere` if another file or a variable defines it. */
  end: 'here' | 'elsewhere' | 'unknown' | 'loop';
  /** The nearest image in the chain. */
  image: string | null;
  hasRestart: boolean;
  /** The chain's services in this file, nearest first. */
  bases: string[];
  hasPorts: boolean;
}

interface Own {
  image: string | null;
  hasRestart: boolean;
  hasPorts: boolean;
  base: string | null;
  elsewhere: boolean;
}

/** Returns the services that extend others, by name. */
export function inheritedOf(
  source: ComposeSource,
  services: ReadonlyMap<string, Field>,
): ReadonlyMap<string, Inherited> {
  const own = new Map([...services].map(([name, field]) => [name, ownOf(source, field)]));
  const inherited = new Map<string, Inherited>();
  for (const [name, { base }] of own) if (base !== null) inherited.set(name, follow(name, base, own));
  return inherited;
}

function ownOf(source: ComposeSource, { value }: Field): Own {
  const fields = source.fields(value);
  const given = fields.get('extends')?.value ?? null;
  const long = source.fields(given);
  const base = scalarText(given) ?? scalarText(long.get('service')?.value ?? null);
  return {
    image: scalarText(fields.get('image')?.value ?? null) || null,
    hasRestart: hasRestart(source, fields),
    hasPorts: source.items(fields.get('ports')?.value).length > 0,
    base,
    elsewhere: long.has('file') || base?.includes('$') === true,
  };
}

export const hasRestart = (source: ComposeSource, fields: ReadonlyMap<string, Field>): boolean =>
  fields.has('restart') || source.fields(fields.get('deploy')?.value).has('restart_policy');

function follow(name: string, base: string, own: ReadonlyMap<string, Own>): Inherited {
  const found: Inherited = {
    base,
    end: 'here',
    image: null,
    hasRestart: false,
    bases: [],
    hasPorts: false,
  };
  const seen = new Set<Own>();
  for (let at = own.get(name); at && at.base !== null;) {
    if (seen.has(at)) return { ...found, end: 'loop' };
    seen.add(at);
    if (at.elsewhere) return { ...found, end: 'elsewhere' };
    found.bases.push(at.base);
    at = own.get(at.base);
    if (!at) return { ...found, end: 'unknown' };
    found.image ??= at.image;
    found.hasRestart ||= at.hasRestart;
    found.hasPorts ||= at.hasPorts;
  }
  return found;
}
