import styled from '@emotion/styled';
import { useState } from 'react';
import type { MetricSeries } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { missingBefore, type Measured } from './compare';

// Stays in the document to be announced; empty it takes no room in a grid.
const Status = styled('div')({ '&:empty': { position: 'absolute' } });

interface Props {
  metrics: Measured;
  before: { error: unknown; isPlaceholderData: boolean; refetch: () => unknown };
  /** Of all replicas; undefined while loading. */
  series: readonly MetricSeries[] | undefined;
}

/** Why there is no line of the previous period, or only a part of it. */
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
