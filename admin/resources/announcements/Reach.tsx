import type { ReactNode } from 'react';
import { count } from '../../../console/lib/texts/count';

/** "Would reach 3 users, and visitors who aren't signed in." */
export function Reach({
  users,
  everybody,
  future,
  link = (text) => text,
}: {
  users: number;
  everybody: boolean;
  /** Whether it isn't shown yet. */
  future: boolean;
  link?: (text: string) => ReactNode;
}) {
  return (
    <>
      {future ? 'Would reach' : 'Reaches'} {link(users === 1 ? '1 user' : `${count(users)} users`)}
      {everybody ? ', and visitors who aren’t signed in.' : '.'}
    </>
  );
}
