import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Operation } from '../../../generated/api/types.gen';
import { operationTitle } from '../../lib/cvms/operationWords';
import type { ChartMarker, ChartMarkers } from '../../ui/charts/markers';
import { changesOptions } from './queries';

const ENDINGS: Readonly<Record<Operation['state'], string>> = {
  queued: '',
  running: ' in progress',
  succeeded: '',
  failed: ' failed',
  cancelled: ' canceled',
};

/** Returns the operations that changed what runs, at their start times. `named`: whether to name the CVM. */
export const markersOf = (operations: readonly Operation[], named: boolean): ChartMarker[] =>
  operations.flatMap((operation) => {
    const { correlation_id, type, state, started_at, revision, cvm } = operation;
    // Destroying a CVM isn't included: it already stopped when it was deleted.
    if (type === 'purge' || started_at === null) return [];
    const to = revision && !operation.rolls_back ? ` to revision ${revision.revision_number}` : '';
    const of = named && cvm ? `${cvm.name}: ` : '';
    return [
      {
        id: correlation_id,
        at: Date.parse(started_at),
        label: `${of}${operationTitle(operation)}${to}${ENDINGS[state]}`,
        kind: type,
        failed: state === 'failed',
      },
    ];
  });

/** The events search limits the length of its text. */
const MAX_IN_LINK = 20;

/** Returns the address of these operations' events. */
export const eventsHref = (eventsPath: string, ids: readonly string[]): string =>
  `${eventsPath}?q=${encodeURIComponent(`operation:${ids.slice(-MAX_IN_LINK).join(',')}`)}`;

const HOUR_MS = 3_600_000;

export interface Changes {
  markers: ChartMarkers;
  /** Whether older ones are missing. */
  incomplete: boolean;
  failed: boolean;
}

interface Of {
  teamSlug: string;
  /** A CVM's ID, or `app_…` for all CVMs of an app. */
  of: string;
  /** Address of the event list. */
  eventsPath: string;
  named: boolean;
}

/** Changes during the measured period. */
export function useChanges(
  { teamSlug, of, eventsPath, named }: Of,
  metrics: { range: string | null; from: string; to: string },
): Changes {
  // Rounded to the hour, so that a range that ends now doesn't need a request for every step.
  const from = new Date(Math.floor(Date.parse(metrics.from) / HOUR_MS) * HOUR_MS).toISOString();
  const { data, isError } = useQuery(
    changesOptions(teamSlug, of, metrics.range === null ? { from, to: metrics.to } : { from }),
  );
  return useMemo(
    () => ({
      markers: {
        items: markersOf(data?.data ?? [], named),
        hrefOf: (items) =>
          eventsHref(
            eventsPath,
            items.map(({ id }) => id),
          ),
      },
      incomplete: data?.pagination.has_more ?? false,
      failed: isError,
    }),
    [data, isError, named, eventsPath],
  );
}
