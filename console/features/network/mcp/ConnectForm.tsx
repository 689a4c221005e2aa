import styled from '@emotion/styled';
import { useState } from 'react';
import { pathFault, type McpPort } from '../../../lib/mcp/install';
import { fieldProblem, type Problem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { space } from '../../../ui/theme';
import type { McpPlace } from './types';

const Fields = styled('div')({
  display: 'grid',
  gap: space(4),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
});

interface Props {
  ports: readonly McpPort[];
  place: McpPlace;
  pending: boolean;
  problem: Problem | null;
  blockedReason: string | undefined;
  autoFocus: boolean;
  onChange: (place: McpPlace) => void;
  onConnect: () => void;
}

/** The MCP server's location and key. */
export function ConnectForm({ ports, place, problem, blockedReason, autoFocus, ...form }: Props) {
  const [tried, setTried] = useState(false);
  const fault = pathFault(place.path);
  const submit = () => {
    setTried(true);
    if (fault === undefined) form.onConnect();
  };
  return (
    <FormShell
      aria-label="Connect to the MCP server"
      error={problem}
      fields={['port', 'path', 'key']}
      pending={form.pending}
      onSubmit={submit}
      submitLabel="Connect"
      pendingLabel="Connecting…"
      {...(blockedReason === undefined ? {} : { blockedReason })}
    >
      <Fields>
        <SelectInput
          label="Port"
          autoFocus={autoFocus}
          value={String(place.port)}
          choices={ports.map(({ port, service }) => ({ value: String(port), label: `${port}, ${service}` }))}
          onChange={(event) => form.onChange({ ...place, port: Number(event.target.value) })}
          error={fieldProblem(problem, 'port')}
        />
        <TextInput
          label="Path"
          mono
          value={place.path}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => form.onChange({ ...place, path: event.target.value.trim() })}
          error={tried ? (fault ?? fieldProblem(problem, 'path')) : undefined}
        />
        <PasswordInput
          label="Key"
          optional
          autoComplete="off"
          value={place.key}
          maxLength={1000}
          onChange={(event) => form.onChange({ ...place, key: event.target.value.trim() })}
          help="Sent as a bearer token."
          error={fieldProblem(problem, 'key')}
        />
      </Fields>
    </FormShell>
  );
}
