import { Suspense, type ReactNode } from 'react';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';

/** Wraps a page whose code loads on demand. */
export const withPageSkeleton = (page: ReactNode) => <Suspense fallback={<PageSkeleton />}>{page}</Suspense>;
