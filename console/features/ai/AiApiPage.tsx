import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Sections } from '../../ui/layout/Sections';
import { Tabs } from '../../ui/layout/Tabs';
import { ConnectPanel } from './ConnectPanel';
import { KeysPanel } from './KeysPanel';
import { ModelsPanel } from './ModelsPanel';
import { PlaygroundPanel } from './PlaygroundPanel';
import { gatewayOptions } from './queries';
import { aiHref, type AiSearch, type AiTab } from './search';
import { UsagePanel } from './UsagePanel';

const LABELS: readonly { tab: AiTab | undefined; label: string }[] = [
  { tab: undefined, label: 'Connect' },
  { tab: 'playground', label: 'Playground' },
  { tab: 'usage', label: 'Usage' },
];

/** The team's access to the AI gateway. */
export function AiApiPage({ teamSlug, search }: { teamSlug: string; search: AiSearch }) {
  const gateway = useQuery(gatewayOptions(teamSlug));
  const problem = problemOf(gateway.error, 'Couldn’t load the gateway', () => void gateway.refetch());
  return (
    <>
      <PageHeader title="Confidential AI" subtitle="An OpenAI-compatible API for the team’s programs" />
      <Tabs
        label="Confidential AI"
        tabs={LABELS.map(({ tab, label }) => ({
          label,
          href: aiHref({ team: search.team, tab }),
          current: search.tab === tab,
        }))}
      />
      {search.tab === 'usage' ? (
        <UsagePanel teamSlug={teamSlug} />
      ) : gateway.data === undefined ? (
        problem ? (
          <ErrorNotice problem={problem} />
        ) : (
          <RowsSkeleton rows={4} />
        )
      ) : search.tab === 'playground' ? (
        <PlaygroundPanel teamSlug={teamSlug} gateway={gateway.data} />
      ) : (
        <Sections>
          <ConnectPanel gateway={gateway.data} />
          <KeysPanel teamSlug={teamSlug} />
          <ModelsPanel models={gateway.data.models} />
        </Sections>
      )}
    </>
  );
}
