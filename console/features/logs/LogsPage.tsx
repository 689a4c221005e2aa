import { Button, LinkButton } from '../../ui/controls/Button';
import { saveFile } from '../../ui/controls/saveFile';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CvmComposition } from '../../../generated/api/types.gen';
import { exactTime, toMs } from '../../ui/data/time';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { LogViewer } from '../../ui/logs/LogViewer';
import { space } from '../../ui/theme';
import { useCvm, useCvmAddress, useCvmLink } from '../cvms/address';
import { failedToBoot, isUp } from '../cvms/cvmState';
import {
  chosenSource,
  hidesLogs,
  isUnknown,
  type LogSource,
  logSources,
  olderUrl,
  PRIVATE,
} from './logSources';
import { compositionOptions } from '../cvms/queries';
import { logsSearch } from '../cvms/search';
import { useLogSession } from './useLogSession';
import { emptyLogText } from './emptyLogText';
import { cutWhole } from '../../lib/texts/cutWhole';
import { ownValue } from '../../lib/ownValue';

const Top = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(4) });
const Picker = styled('div')({ maxWidth: 360 });

/** Live logs of one container or the VM. */
export function LogsPage() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const cvm = useCvm();
  const search = logsSearch(useSearch({ strict: false }));
  // Waits for the container list: the log would jump from a guessed source, and no container may have the given name.
  const { data: composition, isPending } = useQuery({
    ...compositionOptions(teamSlug, vmUuid),
    refetchInterval: isUp(cvm) ? 15_000 : 5_000,
  });
  const navigate = useNavigate();
  const sources = logSources(cvm, composition);
  // Keeps the selected source when containers come and go.
  const [first, setFirst] = useState<string | null>(null);
  const source = chosenSource(sources, search.source ?? first ?? undefined);
  if (first === null && composition !== undefined) setFirst(source.id);
  const container = sources.find(({ kind, closed }) => kind === 'container' && closed === undefined);
  const choose = (id: string) => void navigate({ to: '.', search: { source: id }, replace: true });
  // A container that disappears while its log is open may be back after a restart, so its lines stay.
  const [seen, setSeen] = useState<string | null>(null);
  if (seen !== source.id && sources.includes(source)) setSeen(source.id);
  const unknown = isUp(cvm) && seen !== source.id && isUnknown(sources, source, composition);
  const known = unknown || sources.includes(source) ? sources : [source, ...sources];
  return (
    <>
      <Top>
        <Picker>
          <SelectInput
            label="Source"
            value={unknown ? '' : source.id}
            {...(unknown ? { placeholder: 'Choose a source' } : {})}
            choices={known.map(({ id, label, kind }) => ({
              value: id,
              label,
              group: kind === 'container' ? 'Containers' : 'The VM',
            }))}
            onChange={(event) => choose(event.target.value)}
          />
        </Picker>
        {search.at !== undefined && !unknown && (
          <Notice
            tone="neutral"
            action={
              <Button size="small" style={{ flex: 'none' }} onClick={() => choose(source.id)}>
                Jump to latest
              </Button>
            }
          >
            {source.kind === 'container'
              ? `Log around ${exactTime(toMs(search.at))}`
              : `${source.label} has no timestamps, so the log can’t jump to ${exactTime(toMs(search.at))}.`}
          </Notice>
        )}
        {cvm.simulated && !unknown && source.kind === 'container' && (
          <Notice tone="simulated" title="Simulated">
            The local teepod has no Docker engine. These lines are simulated.
          </Notice>
        )}
        {composition && source.kind === 'vm' && search.source === undefined && container && (
          <Notice
            tone="neutral"
            action={
              <Button size="small" wraps onClick={() => choose(container.id)}>
                Show {container.label}
              </Button>
            }
          >
            The containers have started. You’re still viewing the serial console.
          </Notice>
        )}
        {composition && !isUp(cvm) && source.kind === 'vm' && search.source === undefined && !container && (
          <Notice tone="neutral">
            Container logs aren’t available while the CVM is {describeState(cvm.status)}. Showing the serial
            console.
          </Notice>
        )}
        {hidesLogs(cvm) && source.kind === 'vm' && search.source === undefined && isUp(cvm) && (
          <Notice tone="neutral" action={<ChangeVisibility />}>
            {PRIVATE}
          </Notice>
        )}
      </Top>
      {unknown ? (
        <UnknownSource name={source.id} other={chosenSource(sources, undefined)} onChoose={choose} />
      ) : isPending && (search.source === undefined || source.kind === 'container') ? null : (
        <Log key={`${source.id} ${search.at}`} source={source} at={search.at} composition={composition} />
      )}
    </>
  );
}

/** Shown in place of the log if the address names no source. */
function UnknownSource({
  name,
  other,
  onChoose,
}: {
  name: string;
  other: LogSource;
  onChoose: (id: string) => void;
}) {
  return (
    <EmptyState
      picture="logs"
      title="No such log"
      action={<Button onClick={() => onChoose(other.id)}>Show {other.label}</Button>}
    >
      This CVM has no container or log named “{cutWhole(name, 60)}”.
    </EmptyState>
  );
}

/** The API's "creating" reads as "being created" on screen. */
const describeState = (status: string): string =>
  ownValue(
    {
      creating: 'being created',
      updating: 'being updated',
      resizing: 'being resized',
      deleting: 'being deleted',
      error: 'in an error state',
    },
    status,
  ) ?? status.replace('_', ' ');

function ChangeVisibility() {
  const link = useCvmLink();
  return (
    <LinkButton size="small" href={link('compose')} style={{ flex: 'none' }}>
      Change visibility
    </LinkButton>
  );
}

interface LogProps {
  source: LogSource;
  at: string | undefined;
  composition: CvmComposition | undefined;
}

function Log({ source, at, composition }: LogProps) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const cvm = useCvm();
  const link = useCvmLink();
  const { session, connection } = useLogSession({ teamSlug, vmUuid, source, status: cvm.status, at });
  const reason = 'reason' in connection ? connection.reason : undefined;
  const empty = emptyLogText(connection, source, cvm);
  return (
    <LogViewer
      store={session}
      label={`${source.label} log`}
      state={connection.state}
      {...(reason === undefined ? {} : { stateReason: reason })}
      channels={source.kind === 'container' ? ['stdout', 'stderr'] : []}
      height="max(360px, calc(100dvh - 330px))"
      empty={
        <EmptyState
          picture="logs"
          title={empty.title}
          {...(empty.private ? { action: <ChangeVisibility /> } : {})}
          {...(source.id === 'serial'
            ? failedToBoot(cvm)
              ? { link: { label: 'View the failed operation', href: link('events') } }
              : {}
            : {
                link: {
                  label: 'Read the serial console',
                  href: link('logs', { source: 'serial' }),
                },
              })}
        >
          {empty.text}
        </EmptyState>
      }
      onClear={() => session.clear()}
      moment={source.kind === 'container' ? at : undefined}
      {...(olderUrl(source, cvm, composition, null) === null
        ? {}
        : {
            older: (before) =>
              new URL(olderUrl(source, cvm, composition, before) ?? '', location.origin).href,
          })}
      onDownload={() =>
        saveFile(
          `${cvm.name}-${source.id}.log`,
          [...session.getSnapshot().plain()],
          'text/plain;charset=utf-8',
        )
      }
    />
  );
}
