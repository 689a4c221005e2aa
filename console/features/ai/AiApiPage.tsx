import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Sections } from '../../ui/layout/Sections';
import { AiTabs } from './AiTabs';
import { ConnectPanel } from './ConnectPanel';
import { KeysPanel } from './KeysPanel';
import { PlaygroundPanel } from './playground/PlaygroundPanel';
import { gatewayOptions, keysOptions } from './queries';
import type { AiSearch } from './search';
import { SwitchPanel, TurnedOff } from './SwitchPanel';
import { UsagePanel } from './UsagePanel';

/** The team's access to the AI gateway. */
export function AiApiPage({ teamSlug, search }: { teamSlug: string; search: AiSearch }) {
  const gateway = useQuery(gatewayOptions(teamSlug));
  const isOn = gateway.data?.is_enabled !== false;
  const keys = useQuery(keysOptions(teamSlug));
  const hasNoKeys = keys.data?.length === 0;
  const problem = problemOf(gateway.error, 'Couldn’t load the gateway', () => void gateway.refetch());
  return (
    <>
      <PageHeader title="Confidential AI" subtitle="An OpenAI-compatible API for the team’s programs" />
      <AiTabs team={search.team} current={search.tab ?? 'connect'} />
      {!isOn && <TurnedOff teamSlug={teamSlug} />}
      {search.tab === 'usage' ? (
        <UsagePanel teamSlug={teamSlug} />
      ) : gateway.data === undefined || keys.isPending ? (
        // Whether there are keys decides what comes first.
        problem ? (
          <ErrorNotice problem={problem} />
        ) : (
          <RowsSkeleton rows={4} />
        )
      ) : search.tab === 'playground' ? (
        <PlaygroundPanel teamSlug={teamSlug} gateway={gateway.data} preselected={search.model} />
      ) : (
        <Sections>
          {/* The first key is the step that enables the API. */}
          {hasNoKeys && <KeysPanel key="keys" teamSlug={teamSlug} isOn={isOn} />}
          <ConnectPanel key="connect" gateway={gateway.data} />
          {!hasNoKeys && <KeysPanel key="keys" teamSlug={teamSlug} isOn={isOn} />}
          <SwitchPanel key="switch" teamSlug={teamSlug} isOn={isOn} />
        </Sections>
      )}
    </>
  );
}
