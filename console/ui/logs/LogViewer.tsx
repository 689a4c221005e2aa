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
  /** Why it is reconnecting or has ended: "The CVM was stopped". */
  stateReason?: string;
  /** Channels to filter by, in order; with fewer than two, there is no filter. */
  channels: readonly string[];
  /** Shown if there are no lines: why, and what to do. */
  empty: ReactNode;
  /** RFC 3339: scrolled to first, if the log has timestamps and reaches it. */
  moment?: string | undefined;
  /** Returns the address of dropped lines: those before this time, or before all lines here. */
  older?: (before: string | null) => string;
  onDownload?: () => void;
  onClear?: () => void;
  /** Pixels, or any CSS height. */
  height?: number | string;
}

// The virtualizer and the viewer load only with pages that show logs.
const Impl = lazyWithRetry(() => import('./LogViewerImpl'));

const Waiting = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(4),
  backgroundColor: color.sunken,
  '& > div': { display: 'grid', gap: space(2) },
});

/** A live log: follows its end; can be paused, searched, filtered and downloaded; smooth with a million lines. */
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
