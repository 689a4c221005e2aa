import { randomBytes } from 'node:crypto';
import { isReservedSlug, slugify } from '../../../console/lib/ids';

const MAX_LENGTH = 40;
const NUMBERED = 9;
const RANDOM = 5;

/** Yields addresses to try for a team name: as is, then numbered, then with a random suffix. */
export function* slugCandidates(name: string, alsoReserved: Iterable<string>): Generator<string> {
  const reserved = [...alsoReserved];
  const base = slugify(name, reserved);
  const free = (slug: string) => !isReservedSlug(slug, reserved);
  const ending = (end: string) => `${base.slice(0, MAX_LENGTH - end.length - 1).replace(/-+$/, '')}-${end}`;
  const all = [
    base,
    ...Array.from({ length: NUMBERED - 1 }, (_, i) => ending(String(i + 2))),
    ...Array.from({ length: RANDOM }, () => ending(randomBytes(4).toString('hex'))),
  ];
  yield* all.filter(free);
}
