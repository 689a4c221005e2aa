import RocketLaunchOutlined from '@mui/icons-material/RocketLaunchOutlined';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMay, useTeam } from '../../api/session';
import { deployPath, launchPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { DeployButton } from './DeployButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { ToneChip } from '../../ui/feedback/StatusChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Panel } from '../../ui/layout/Panel';
import { AppsTable } from './AppsTable';
import { Figures } from './Figures';
import { healthOf } from './health';
import { recycleBinOptions, teamCvmsOptions } from './queries';
import { isFiltered, teamHomeHref, type TeamHomeSearch } from './search';
import { RecycleBin } from './RecycleBin';
import { RecentEvents } from './RecentEvents';

interface Props {
  teamSlug: string;
  search: TeamHomeSearch;
  /** The address of this page; it has two. */
  base: string;
}

/** The team's first page: is all right, what runs, what happened, what it costs. */
export function TeamHome({ teamSlug, search, base }: Props) {
  const team = useTeam(teamSlug);
  const may = useMay('cvms.write', teamSlug);
  const { data: cvms } = useSuspenseQuery(teamCvmsOptions(teamSlug));
  const health = healthOf(cvms.items);
  const bin = useInfiniteQuery(recycleBinOptions(teamSlug)).data?.pages.flatMap((page) => page.data) ?? [];
  const toBin = (
    <LinkButton href={teamHomeHref(base, { show: 'bin' })} size="small">
      Recycle bin{bin.length > 0 ? ` (${bin.length}${bin.length >= 50 ? '+' : ''})` : ''}
    </LinkButton>
  );
  const deploy = <DeployButton teamSlug={teamSlug} />;
  const isNew = cvms.total === 0 && !isFiltered(search);

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
      />
      {isNew ? (
        <EmptyState
          icon={<RocketLaunchOutlined fontSize="inherit" />}
          title="Nothing runs here yet"
          action={deploy}
          link={{ label: 'Other ways to start', href: launchPath(teamSlug) }}
        >
          Paste a docker-compose file and your secrets, press Deploy, and the app starts in a confidential VM.
          Secrets are encrypted in this browser; only the enclave can read them.
        </EmptyState>
      ) : (
        <>
          <Figures teamSlug={teamSlug} />
          {search.show === 'bin' ? (
            <Panel
              title="Recycle bin"
              subtitle="Deleted CVMs of the last 24 hours. They are stopped; only their disks are metered."
              actions={
                <LinkButton href={base} size="small">
                  All apps
                </LinkButton>
              }
            >
              <RecycleBin teamSlug={teamSlug} appsHref={base} />
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
      {isNew && bin.length > 0 && (
        <Notice tone="neutral" action={toBin}>
          What was deleted in the last 24 hours can still be restored.
        </Notice>
      )}
      <RecentEvents teamSlug={teamSlug} />
    </>
  );
}
