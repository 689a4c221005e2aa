import { Suspense, type ReactNode } from 'react';
import { LinkButton } from '../../../ui/controls/Button';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMay, useTeam } from '../../../api/session';
import { NO_HOST } from '../../../lib/texts/noHost';
import { formatHourly, parseMicros } from '../../../lib/billing/money';
import { count } from '../../../lib/texts/count';
import { deployPath } from '../../../lib/paths';
import { DeployButton } from './DeployButton';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Panel } from '../../../ui/layout/Panel';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { AppsTable } from './AppsTable';
import { UsageSummary } from './UsageSummary';
import { healthOf } from './health';
import { summaryOptions } from './queries';
import { isFiltered, viewHref, type TeamHomeSearch } from './search';
import { StartMenu } from './StartMenu';

// Below the list or behind a link, so the list doesn't wait for their code.
const RecentEvents = lazyWithRetry(() => import('./RecentEvents').then((m) => ({ default: m.RecentEvents })));
const RecycleBin = lazyWithRetry(() => import('./RecycleBin').then((m) => ({ default: m.RecycleBin })));

interface Props {
  teamSlug: string;
  search: TeamHomeSearch;
  /** The page's current address; it has two. */
  base: string;
  /** Templates, for a team without apps. */
  starters: ReactNode;
}

/** The team's first page: health, apps, recent activity and cost. */
export function TeamHome({ teamSlug, search, base, starters }: Props) {
  const team = useTeam(teamSlug);
  const may = useMay('cvms.write', teamSlug);
  const { data: summary } = useSuspenseQuery(summaryOptions(teamSlug));
  const health = healthOf(summary);
  const binned = summary.recycled_cvm_count;
  const binnedMicros = parseMicros(summary.recycled_hourly_rate) ?? 0;
  const apps = viewHref(base, search, undefined);
  const toBin = (
    <LinkButton href={viewHref(base, search, 'bin')} size="small">
      Recycle bin{binned > 0 ? ` (${count(binned)})` : ''}
    </LinkButton>
  );
  const deploy = <DeployButton teamSlug={teamSlug} />;
  const isNew = summary.cvm_count === 0 && !isFiltered(search);

  return (
    <>
      <PageHeader
        title={team.name}
        {...(health
          ? {
              status: (
                <ToneChip tone={health.tone} glyph={health.glyph}>
                  {health.word}
                </ToneChip>
              ),
            }
          : {})}
        {...(isNew ? {} : { primary: deploy })}
        {...(isNew || !may.allowed ? {} : { secondary: <StartMenu teamSlug={teamSlug} /> })}
      />
      {isNew ? (
        <>
          {may.allowed && !team.has_host && (
            <Notice tone="attention" title="You can’t deploy yet.">
              {NO_HOST}
            </Notice>
          )}
          <EmptyState picture="apps" title="No apps yet" action={deploy}>
            Paste a Docker Compose file and your secrets, and deploy it as a confidential VM. Secrets are
            encrypted in your browser.
          </EmptyState>
          {starters}
        </>
      ) : (
        <>
          <UsageSummary teamSlug={teamSlug} />
          {search.show === 'bin' ? (
            <Panel
              title="Recycle bin"
              subtitle="Deleted CVMs are kept for 24 hours. They are stopped and billed for their disks only."
              actions={
                <LinkButton href={apps} size="small">
                  All apps
                </LinkButton>
              }
            >
              <Suspense fallback={<RowsSkeleton rows={4} />}>
                <RecycleBin teamSlug={teamSlug} appsHref={apps} />
              </Suspense>
            </Panel>
          ) : (
            <Panel title="Apps" actions={toBin}>
              <AppsTable
                teamSlug={teamSlug}
                search={search}
                base={base}
                {...(may.allowed ? { deployHref: deployPath(teamSlug) } : {})}
              />
            </Panel>
          )}
        </>
      )}
      {isNew && binned > 0 && (
        <Notice tone="neutral" action={toBin}>
          CVMs deleted in the last 24 hours can be restored.
          {binnedMicros > 0 && ` Until they are destroyed, their disks cost ${formatHourly(binnedMicros)}.`}
        </Notice>
      )}
      <Suspense>
        <RecentEvents teamSlug={teamSlug} />
      </Suspense>
    </>
  );
}
