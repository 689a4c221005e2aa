import { Suspense, type ReactNode } from 'react';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';

/** A page whose code comes when it is gone to. */
export const later = (page: ReactNode) => <Suspense fallback={<PageSkeleton />}>{page}</Suspense>;
