import { useEffect } from 'react';
import { storedList, useStored } from '../stored';

export interface Place {
  href: string;
  label: string;
}

const MAX_PLACES = 8;
const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  typeof value.href === 'string' &&
  value.href.startsWith('/') &&
  'label' in value &&
  typeof value.label === 'string';

const placesOf = (user: string) => storedList(`recent:${user}`, isPlace, MAX_PLACES);

/** Returns "web › Logs"; an app and its only CVM often share a name, which appears once. */
export const placeName = (names: readonly string[]): string =>
  names.filter((name, i) => name !== names[i - 1]).join(' › ');

/** Stores the page on this device, under the user's ID, so that other users who sign in here don't see it. */
export function useRememberedPlace(user: string | undefined, { href, label }: Place): void {
  useEffect(() => {
    if (user === undefined || label === '') return;
    placesOf(user).put({ href, label }, (place) => place.href === href);
  }, [user, href, label]);
}

/** Returns the recently visited pages, newest first, without the current one. */
export function useRecentPlaces(user: string | undefined, here: string): Place[] {
  const places = placesOf(user ?? '');
  const [stored] = useStored(places.key, '[]');
  return places.parse(stored).filter(({ href }) => href !== here);
}
