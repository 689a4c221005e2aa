import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CvmComposition, CvmDetail } from '../../../generated/api/types.gen';
import { LinkButton } from '../../ui/controls/LinkButton';
import { exactTime, toMs } from '../../ui/data/time';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { LogViewer } from '../../ui/logs/LogViewer';
import { space } from '../../ui/theme';
import { useCvm, useCvmAddress, useCvmLink } from './address';
import { isUp } from './cvmState';
import type { Connection } from './logConnection';
import { chosenSource, type LogSource, logSources, olderUrl, PRIVATE } from './logSources';
import { compositionOptions } from './queries';
import { logsSearch } from './search';
import { useLogSession } from './useLogSession';

const Top = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(4) });
const Picker = styled('div')({ maxWidth: 360 });

/** Live logs of one container or of the VM itself. */
export function LogsPage() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const cvm = useCvm();
  const search = logsSearch(useSearch({ strict: false }));
  // Without its answer the first source would be a guess, and the log would jump.
  const { data: composition, isPending } = useQuery({
    ...compositionOptions(teamSlug, vmUuid),
    refetchInterval: isUp(cvm) ? 15_000 : 5_000,
  });
  const navigate = useNavigate();
  const sources = logSources(cvm, composition);
  // What is being read stays, also when its container goes away or another comes.
  const [first, setFirst] = useState<string | null>(null);
  const source = chosenSource(sources, search.source ?? first ?? undefined);
  if (first === null && composition !== undefined) setFirst(source.id);
  const container = sources.find(({ kind, closed }) => kind === 'container' && closed === undefined);
  const choose = (id: string) => void navigate({ to: '.', search: { source: id }, replace: true });
  const known = sources.includes(source) ? sources : [source, ...sources];
  return (
    <>
      <Top>
        <Picker>
          <SelectInput
            label="Log of"
            value={source.id}
            choices={known.map(({ id, label, kind }) => ({
              value: id,
              label,
              group: kind === 'container' ? 'Containers' : 'The VM',
            }))}
            onChange={(event) => choose(event.target.value)}
          />
        </Picker>
        {search.at !== undefined && (
          <Notice
            tone="neutral"
            action={
              <Button size="small" style={{ flex: 'none' }} onClick={() => choose(source.id)}>
                Show the end
              </Button>
            }
          >
            {source.kind === 'container'
              ? `The log around ${exactTime(toMs(search.at))}.`
              : `${source.label} has no times, so ${exactTime(toMs(search.at))} cannot be found in it by itself.`}
          </Notice>
        )}
        {composition?.simulated && source.kind === 'container' && (
          <Notice tone="simulated" title="Simulated">
            No Docker engine answers on the local teepod: these lines are imitations.
          </Notice>
        )}
        {composition && source.kind === 'vm' && search.source === undefined && container && (
          <Notice
            tone="neutral"
            action={
              <Button size="small" style={{ flex: 'none' }} onClick={() => choose(container.id)}>
                Show {container.label}
              </Button>
            }
          >
            The containers are up now. This is still the serial console.
          </Notice>
        )}
        {composition && !isUp(cvm) && source.kind === 'vm' && search.source === undefined && !container && (
          <Notice tone="neutral">
            No container can be read while the CVM is {stateWords(cvm.status)}, so this is the serial console.
          </Notice>
        )}
        {!cvm.public_logs && source.kind === 'vm' && search.source === undefined && isUp(cvm) && (
          <Notice tone="neutral" action={<ChangeVisibility />}>
            {PRIVATE}
          </Notice>
        )}
      </Top>
      {isPending && search.source === undefined ? null : (
        <Log key={`${source.id} ${search.at}`} source={source} at={search.at} composition={composition} />
      )}
    </>
  );
}

/** "creating" is what the server does; the CVM is being created. */
const stateWords = (status: string): string =>
  ({
    creating: 'being created',
    updating: 'being updated',
    resizing: 'being resized',
    deleting: 'being deleted',
    error: 'in error',
  })[status] ?? status.replace('_', ' ');

function ChangeVisibility() {
  const link = useCvmLink();
  return (
    <LinkButton size="small" href={link('compose')} style={{ flex: 'none' }}>
      Change it
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
  const empty = whyEmpty(connection, source, cvm);
  return (
    <LogViewer
      store={session}
      label={`Log of ${source.label}`}
      state={connection.state}
      {...(reason === undefined ? {} : { stateReason: reason })}
      channels={source.kind === 'container' ? ['stdout', 'stderr'] : []}
      height="max(360px, calc(100dvh - 330px))"
      empty={
        <EmptyState
          title={empty.title}
          {...(empty.private ? { action: <ChangeVisibility /> } : {})}
          {...(source.id === 'serial'
            ? {}
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
      onDownload={() => download([...session.getSnapshot().plain()], `${cvm.name}-${source.id}.log`)}
    />
  );
}

/** An empty log says why it is empty, and never only turns a wheel. */
function whyEmpty(
  connection: Connection,
  source: LogSource,
  cvm: CvmDetail,
): { title: string; text: string; private?: true } {
  if (source.closed !== undefined)
    return { title: 'Private', text: source.closed, ...(cvm.public_logs ? {} : { private: true }) };
  if (connection.state === 'connecting') return { title: 'Connecting', text: 'Asking the host for the log.' };
  if (connection.state === 'live')
    return { title: 'No output yet', text: 'The log is open; lines appear here as soon as there are any.' };
  const stopped = cvm.status === 'stopped';
  return {
    title: stopped
      ? 'The CVM is stopped'
      : connection.state === 'ended'
        ? 'No log to show'
        : 'No connection to the log',
    text: stopped
      ? 'Its containers are gone with their output. Start it to see what they say.'
      : connection.reason,
  };
}

function download(text: string[], name: string): void {
  const url = URL.createObjectURL(new Blob(text, { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
