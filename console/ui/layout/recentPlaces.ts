import { useEffect } from 'react';
import { readStored, useStored, writeStored } from '../stored';

export interface Place {
  href: string;
  label: string;
}

const MAX_PLACES = 8;
const keyOf = (user: string) => `recent:${user}`;

function parse(text: string): Place[] {
  try {
    const places: unknown = JSON.parse(text);
    return Array.isArray(places) ? places.filter(isPlace) : [];
  } catch {
    return [];
  }
}

const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  value.href.startsWith('/') &&
  'label' in value &&
  typeof value.label === 'string';

/** Returns "web › Logs"; an app and its only CVM often share a name, which appears once. */
export const placeName = (names: readonly string[]): string =>
  names.filter((name, i) => name !== names[i - 1]).join(' › ');

/** Remembers the page on this device, under the user's ID, so that others who sign in here don't see it. */
export function useRememberedPlace(user: string | undefined, { href, label }: Place): void {
  useEffect(() => {
    if (user === undefined || label === '') return;
    const others = parse(readStored(keyOf(user), '[]')).filter((place) => place.href !== href);
    writeStored(keyOf(user), JSON.stringify([{ href, label }, ...others].slice(0, MAX_PLACES)));
  }, [user, href, label]);
}

/** Returns the pages visited last, newest first, without the current one. */
export function useRecentPlaces(user: string | undefined, here: string): Place[] {
  const [stored] = useStored(keyOf(user ?? ''), '[]');
  return parse(stored).filter(({ href }) => href !== here);
}
