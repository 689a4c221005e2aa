import styled from '@emotion/styled';
import { Suspense, type ReactNode } from 'react';
import { Bar, Delayed } from '../feedback/Skeletons';
import { color, radius, space } from '../theme';
import type { LogState, LogStore } from './line';
import { lazyWithRetry } from '../lazyWithRetry';

export interface LogViewerProps {
  store: LogStore;
  /** "Log of web-1". */
  label: string;
  state: LogState;
  /** Why it reconnects or ended: "The CVM was stopped". */
  stateReason?: string;
  /** What can be filtered by, in order; fewer than two need no filter. */
  channels: readonly string[];
  /** Shown while there are no lines: why, and what to do. */
  empty: ReactNode;
  /** RFC 3339: is shown first, when the log has times and reaches it. */
  moment?: string | undefined;
  /** An address for what was let go: lines before this time, or before all that are here. */
  older?: (before: string | null) => string;
  onDownload?: () => void;
  onClear?: () => void;
  /** Pixels, or any CSS height. */
  height?: number | string;
}

// Virtualiser and viewer come with the pages that show logs.
const Impl = lazyWithRetry(() => import('./LogViewerImpl'));

const Waiting = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(4),
  backgroundColor: color.sunken,
  '& > div': { display: 'grid', gap: space(2) },
});

/** A live log: follows its end, can be paused, searched, filtered, downloaded; smooth with a million lines. */
export function LogViewer({ height = 'max(320px, calc(100dvh - 260px))', ...rest }: LogViewerProps) {
  return (
    <Suspense
      fallback={
        <Waiting style={{ height }}>
          <Delayed role="status" aria-label="Loading the log viewer">
            <Bar w="52%" />
            <Bar w="64%" />
            <Bar w="41%" />
          </Delayed>
        </Waiting>
      }
    >
      <Impl height={height} {...rest} />
    </Suspense>
  );
}
