import styled from '@emotion/styled';
import { useState } from 'react';
import type { MetricSeries } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { missingBefore, type Measured } from './compare';

// Always in the document so that changes are announced; while empty, it takes no room in the grid.
const Status = styled('div')({ '&:empty': { position: 'absolute' } });

interface Props {
  metrics: Measured;
  before: { error: unknown; isPlaceholderData: boolean; refetch: () => unknown };
  /** Series of all replicas; undefined while loading. */
  series: readonly MetricSeries[] | undefined;
}

/** Why the previous period has no line, or only part of one. */
export function BeforeNotice({ metrics, before, series }: Props) {
  const [now] = useState(Date.now);
  const problem = problemOf(before.error, 'Couldn’t load the previous period', () => void before.refetch());
  if (problem) return <ErrorNotice problem={problem} />;
  const missing = series && !before.isPlaceholderData ? missingBefore(metrics, series, now) : null;
  return (
    <Status role="status">
      {missing && (
        <Notice tone="neutral" title={missing.title}>
          {missing.text}
        </Notice>
      )}
    </Status>
  );
}
