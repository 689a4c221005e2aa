import { useEffect } from 'react';
import { readStored, useStored, writeStored } from '../stored';
import type { Crumb } from './frameData';

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

/** Remembers the page on this device, under the user's ID, so that others who sign in here don't see it. */
export function useRememberedPlace(user: string | undefined, href: string, crumbs: readonly Crumb[]): void {
  const names = crumbs.slice(1).map(({ label }) => label);
  const label = names.filter((name, i) => name !== names[i - 1]).join(' › ');
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
