import styled from '@emotion/styled';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { AdminLogLevel, SetAdminLogLevel } from '../../../generated/api/types.gen';
import { ActionButton } from '../../../console/ui/controls/ActionButton';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { Panel } from '../../../console/ui/layout/Panel';
import { space } from '../../../console/ui/theme';
import { useSingleFlight } from '../../../console/ui/useSingleFlight';
import { fetchJson, problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';

const Parts = styled('div')({ display: 'grid', gap: space(5), minWidth: 0 });
const Form = styled('form')({ display: 'grid', gap: space(4), maxWidth: 520, justifyItems: 'start' });
const Wide = styled('div')({ width: '100%' });
const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

const PATH = '/api/v1/admin/log-level';
const KEY = ['/admin/log-level'];
/** While the page is open, the level may expire or another administrator may change it. */
const POLL_MS = 10_000;

type Level = SetAdminLogLevel['level'];
const LEVELS: Record<Level, string> = {
  error: 'error: failures only',
  warn: 'warn: also problems that resolve themselves',
  info: 'info: also every API request and operation',
  debug: 'debug: also pages, probes and deliveries',
  trace: 'trace: everything',
};
const MINUTES = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '24 hours' },
];

/** Log level of all processes, for a limited time. */
export function LogLevel() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await fetchJson(PATH, { signal })).json as AdminLogLevel,
    refetchInterval: POLL_MS,
    retry: false,
  });
  return (
    <Panel
      title="Log level"
      subtitle="Takes effect on all processes within seconds, without a restart. After the selected time, they return to their configured level."
      framed
    >
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the log level', () => void refetch())} />
      ) : (
        <Parts>
          <KeyValue
            facts={[
              { label: 'Current level', value: levelText(data) },
              ...(data === undefined || data.until === null
                ? []
                : [{ label: 'Ends', value: <RelativeTime at={data.until} /> }]),
            ]}
          />
          <Change isTemporary={data !== undefined && data.level !== null} />
        </Parts>
      )}
    </Panel>
  );
}

/** Shows an ellipsis while loading, so that the form below doesn't move. */
const levelText = (data: AdminLogLevel | undefined): string =>
  data === undefined ? '…' : (data.level ?? `${data.configured} (LOG_LEVEL)`);

function Change({ isTemporary }: { isTemporary: boolean }) {
  const refused = usePermissionRefusal()('admin.log_level.write');
  const [level, setLevel] = useState<Level>('debug');
  const [minutes, setMinutes] = useState('60');
  const client = useQueryClient();
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: async (wanted: SetAdminLogLevel | null) =>
      (await fetchJson(PATH, wanted ? { method: 'PUT', body: JSON.stringify(wanted) } : { method: 'DELETE' }))
        .json as AdminLogLevel,
    onSuccess: (changed) => client.setQueryData(KEY, changed),
    onError: () => client.invalidateQueries({ queryKey: KEY }),
  });
  const send = useSingleFlight(mutate);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) send({ level, minutes: Number(minutes) });
  };
  return (
    <Form onSubmit={submit}>
      <Wide>
        <SelectInput
          label="New level"
          value={level}
          disabled={refused !== undefined}
          title={refused}
          choices={(Object.keys(LEVELS) as Level[]).map((value) => ({ value, label: LEVELS[value] }))}
          onChange={(event) => setLevel(event.target.value as Level)}
        />
      </Wide>
      <Wide>
        <SelectInput
          label="Duration"
          value={minutes}
          disabled={refused !== undefined}
          title={refused}
          choices={MINUTES}
          onChange={(event) => setMinutes(event.target.value)}
        />
      </Wide>
      {error && <ErrorNotice problem={problemOf(error, 'Couldn’t change the log level')} />}
      <Buttons>
        <ActionButton
          type="submit"
          variant="contained"
          reason={refused}
          pending={isPending && variables !== null}
          isRefused={error !== null}
        >
          Change level
        </ActionButton>
        {isTemporary && (
          <ActionButton
            reason={refused}
            pending={isPending && variables === null}
            onClick={() => isPending || send(null)}
          >
            Reset now
          </ActionButton>
        )}
      </Buttons>
    </Form>
  );
}
