import { Suspense, useState, type ReactNode } from 'react';

/** Mounts a lazy menu, drawer or dialog when it first opens, and keeps it for its closing transition. */
export function OnceOpened({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  return wasOpened ? <Suspense fallback={null}>{children}</Suspense> : null;
}
