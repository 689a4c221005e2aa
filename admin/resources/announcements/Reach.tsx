import type { ReactNode } from 'react';
import { count } from '../../../console/lib/texts/count';

/** "Will be shown to 3 users, and to visitors who aren't signed in." */
export function Reach({
  users,
  everybody,
  future,
  link = (text) => text,
}: {
  /** Undefined while loading. */
  users: number | undefined;
  everybody: boolean;
  /** Whether it isn't visible yet. */
  future: boolean;
  link?: (text: string) => ReactNode;
}) {
  return (
    <>
      {future ? 'Will be shown to' : 'Shown to'}{' '}
      {link(users === 1 ? '1 user' : `${users === undefined ? '…' : count(users)} users`)}
      {everybody ? ', and to visitors who aren’t signed in.' : '.'}
    </>
  );
}
