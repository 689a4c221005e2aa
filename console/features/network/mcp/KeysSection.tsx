import styled from '@emotion/styled';
import { useState } from 'react';
import type { McpUsage } from '../../../../generated/api/types.gen';
import { MAX_MCP_KEYS } from '../../../lib/mcp/keys';
import { Button } from '../../../ui/controls/Button';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import type { Problem } from '../../../ui/feedback/problem';
import { TextLink } from '../../../ui/link';
import { space } from '../../../ui/theme';
import { AddKeyDialog } from './AddKeyDialog';
import { KeyTables } from './KeyTables';
import { Heading, Text } from './parts';
import { counted } from '../../../lib/texts/count';

const Section = styled('section')({ display: 'grid', gap: space(3), minWidth: 0 });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(2) });

interface Props {
  /** Undefined until loaded. */
  usage: McpUsage | undefined;
  pending: boolean;
  problem: Problem | null;
  /** Whether the server reads `MCP_KEYS`. */
  takesKeys: boolean;
  secretsHref: string;
  onRefresh: () => void;
}

/** The usage of the server's keys, and how to add one. */
export function KeysSection({ usage, pending, problem, takesKeys, secretsHref, onRefresh }: Props) {
  const [adding, setAdding] = useState(false);
  const names = usage?.keys.map(({ name }) => name) ?? [];
  const isFull = names.length >= MAX_MCP_KEYS;
  return (
    <Section aria-label="Keys">
      <Heading style={{ marginBottom: 0 }}>Keys</Heading>
      {usage && (
        <Text>
          Counted since the server started <RelativeTime at={usage.since} inWords />. Each key can send up to{' '}
          {counted(usage.requests_per_minute, ['request', 'requests'])} per minute.
          {takesKeys &&
            !names.includes('default') &&
            ' You entered an additional key, which shows only its own usage. The key in MCP_KEY shows usage for all keys.'}
        </Text>
      )}
      {problem && <ErrorNotice problem={problem} />}
      {(usage || pending) && <KeyTables keys={usage?.keys} />}
      <Text>
        {takesKeys ? (
          <>
            The key in MCP_KEY is called default, and MCP_KEYS has the others. To replace or remove one,{' '}
            <TextLink href={secretsHref}>edit the app’s secrets</TextLink>.
          </>
        ) : (
          'This version of the server has a single key. To use several, update the app to the current Compose file.'
        )}
      </Text>
      <Actions>
        {takesKeys && (
          <Button size="small" disabled={isFull} onClick={() => setAdding(true)}>
            Add a key…
          </Button>
        )}
        <PendingButton size="small" variant="text" pending={pending} onClick={onRefresh}>
          Refresh
        </PendingButton>
        {takesKeys && isFull && <Text>A server can have up to {MAX_MCP_KEYS} keys.</Text>}
      </Actions>
      {adding && <AddKeyDialog taken={names} onClose={() => setAdding(false)} />}
    </Section>
  );
}
